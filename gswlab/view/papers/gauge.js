// The gauge again, in the page: the same sums in the same order as `Gauge.weighed` and
// `fire`, so a recorded price weighed here is the same number to the last bit.
const gauge = (() => {
  "use strict";
  const weighed = ([cost, gain, shorter], lam, gamma) =>
    cost - lam * (gain + gamma * shorter);
  // `knobs` are what the sliders say; what they leave null is as it was recorded.
  const priced = (price, knobs = {}) => {
    const lam = knobs.lam ?? price.lam, ag = knobs.ag ?? price.theta_ag, dg = knobs.dg ?? price.theta_dg;
    const series = price.terms.map((term) => weighed(term, lam, price.gamma));
    const best = Math.min(...series), fires = {
      ag: ag !== null && series[0] > ag, dg: dg !== null && best <= dg };
    return { series, g0: series[0], best, hop: series.indexOf(best), lam, ag, dg, fires,
      kind: fires.dg ? "integrate" : fires.ag ? "explore on" : "redundant" };
  };
  return { weighed, priced };
})();

"""GSW asked along chains: sub-questions, question-answer pairs, a beam over both."""

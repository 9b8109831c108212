let segmenter: Intl.Segmenter | undefined

/** Returns the sentences of a text. The first call of a process loads the rules of ICU, which takes several milliseconds. */
export function sentencesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' })
  return segmenter.segment(text)
}

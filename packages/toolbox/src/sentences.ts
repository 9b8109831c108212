/**
 * Returns a function that divides a string into sentences. Its first call loads the rules of ICU, which takes several
 * milliseconds.
 */
export function sentenceDivider(): (text: string) => Intl.Segments {
  let segmenter: Intl.Segmenter | undefined
  return (text) => (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' })).segment(text)
}

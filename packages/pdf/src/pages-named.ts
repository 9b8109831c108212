const maxNamed = 10

/** Returns the numbers of pages for a sentence, such as `Pages 2, 3`; at most ten of them. */
export function pagesNamed(numbers: readonly number[]): string {
  const named = numbers.slice(0, maxNamed).join(', ')
  const rest = numbers.length > maxNamed ? ` and ${numbers.length - maxNamed} more` : ''
  return `${numbers.length === 1 ? 'Page' : 'Pages'} ${named}${rest}`
}

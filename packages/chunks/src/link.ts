const words = 5
// Limits, because the patterns need more than linear time.
const maxLine = 400
const maxLines = 50

/**
 * Returns a URL that opens a page at a passage, with its first and last words in the fragment. Returns the URL unchanged if the
 * passage has no words.
 */
export function linkTo(url: string, passage: string): string {
  const lines = passage.split('\n')
  const first = firstText(lines.slice(0, maxLines), (line) => line.slice(0, maxLine))
  const last = firstText(lines.slice(-maxLines).toReversed(), (line) => line.slice(-maxLine))
  if (first === undefined || last === undefined) return url
  const [begin, end] = [first.split(' ').slice(0, words).join(' '), last.split(' ').slice(-words).join(' ')]
  return `${url.replace(/#.*$/s, '')}#:~:text=${encode(begin)}${begin === last ? '' : `,${encode(end)}`}`
}

function firstText(lines: readonly string[], part: (line: string) => string): string | undefined {
  for (const line of lines) {
    const text = plainText(part(line))
    if (/[\p{L}\p{N}]/u.test(text)) return text
  }
  return undefined
}

/** Returns a line of Markdown as a reader sees it. */
function plainText(line: string): string {
  return line
    .replace(/^[\s>|]*(?:#{1,6}|[-*+]|\d{1,9}[.)])?\s+/, '')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^<>]*>|(?<!\\)[*_`|]|^[-:| ]+$/g, ' ')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('-', '%2D')
}

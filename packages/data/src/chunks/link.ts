const words = 5

/**
 * Returns a URL that opens a page at a passage, with its first and last words as a text fragment. Returns the URL unchanged if the
 * passage has no words.
 */
export function linkTo(url: string, passage: string): string {
  const lines = passage.split('\n')
  const [first, last] = [firstText(lines), firstText(lines.toReversed())]
  if (first === undefined || last === undefined) return url
  const [begin, end] = [first.split(' ').slice(0, words).join(' '), last.split(' ').slice(-words).join(' ')]
  return `${url.replace(/#.*$/s, '')}#:~:text=${encode(begin)}${begin === last ? '' : `,${encode(end)}`}`
}

function firstText(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const text = plainText(line)
    if (/[\p{L}\p{N}]/u.test(text)) return text
  }
  return undefined
}

/** Returns a line of Markdown as a reader sees it. */
function plainText(line: string): string {
  return line
    .slice(0, 4_000)
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

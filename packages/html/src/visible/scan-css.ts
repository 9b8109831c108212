// Finds the ends of blocks, declarations and comments in CSS. Linear in its length.

/** Where the part before a block ends. */
export const preludeEnd = /[{};"'(\\]/g
/** Where a declaration ends. */
export const declarationEnd = /[;{"'(\\]/g

/** Returns the index of the next sign outside strings and parentheses, or the length. */
export function endOf(text: string, from: number, signs: RegExp): number {
  let at = from
  for (;;) {
    signs.lastIndex = at
    // Unlike `exec`, `test` creates no array.
    if (!signs.test(text)) return text.length
    const index = signs.lastIndex - 1
    const sign = text[index]
    if (sign === '\\') at = index + 2
    else if (sign === '"' || sign === "'") at = skipString(text, index)
    else if (sign === '(') at = skipParentheses(text, index + 1)
    else return index
  }
}

/** Returns the index after the string that begins at a quote. It ends at a line break at the latest. */
export function skipString(text: string, from: number): number {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === quote || sign === '\n') return at + 1
  }
  return text.length
}

/** An unclosed parenthesis ends at the next brace, so that one of a hostile sheet costs no more than its own text. */
function skipParentheses(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"' || sign === "'") at = skipString(text, at) - 1
    else if (sign === '\\') at++
    else if (sign === '(') depth++
    else if (sign === ')' && --depth === 0) return at + 1
    else if (sign === '{' || sign === '}') return at
  }
  return text.length
}

const blockSign = /[{}"'\\]/g

/** Returns the index after the brace that closes the block. */
export function skipBlock(text: string, from: number): number {
  let depth = 1
  let at = from
  for (;;) {
    blockSign.lastIndex = at
    if (!blockSign.test(text)) return text.length + 1
    at = blockSign.lastIndex
    const sign = text[at - 1]
    if (sign === '{') depth++
    else if (sign === '}') {
      if (--depth === 0) return at
    } else at = sign === '\\' ? at + 1 : skipString(text, at - 1)
  }
}

/** Returns CSS without CSS and HTML comments. An unterminated comment extends to the end. */
export function withoutComments(css: string): string {
  if (!css.includes('/*')) return css.includes('--') ? css.replaceAll(/<!--|-->/g, '') : css
  const parts: string[] = []
  let at = 0
  for (let open = css.indexOf('/*'); open >= 0; open = css.indexOf('/*', at)) {
    parts.push(css.slice(at, open))
    const close = css.indexOf('*/', open + 2)
    at = close < 0 ? css.length : close + 2
  }
  parts.push(css.slice(at))
  return parts.join('').replaceAll(/<!--|-->/g, '')
}

// Finds the end of a script, style, title or similar element. Only its own end tag ends it.

/**
 * Returns the index of the `<` of the end tag of this element, from index `from` on, or the length of the page without one.
 * `name` is in lower case.
 */
export function endOfRawText(html: string, from: number, name: string): number {
  const end = endTagAfter(html, from, name)
  if (name !== 'script') return end
  const comment = html.slice(from, end).indexOf('<!--')
  return comment < 0 ? end : endOfScript(html, from + comment)
}

function endTagAfter(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const after = at + 2 + name.length
    if (endsName(html.charCodeAt(after)) && html.slice(at + 2, after).toLowerCase() === name) return at
  }
  return html.length
}

function endsName(code: number): boolean {
  return code === 0x3e || code === 0x2f || code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)
}

const marks = /<!--|-->|<(\/?)script[\t\n\f\r />]/gi

/** Handles nested tags in a comment of a script: `<!-- <script></script> -->`. */
function endOfScript(html: string, from: number): number {
  let state: 'script' | 'comment' | 'inner script' = 'script'
  marks.lastIndex = from
  for (let mark = marks.exec(html); mark; mark = marks.exec(html)) {
    if (mark[0] === '<!--') {
      if (state === 'script') state = 'comment'
      // `<!-->` both starts and ends a comment.
      marks.lastIndex = mark.index + 2
    } else if (mark[0] === '-->') state = 'script'
    else if (mark[1] === '') state = state === 'comment' ? 'inner script' : state
    else if (state === 'inner script') state = 'comment'
    else return mark.index
  }
  return html.length
}

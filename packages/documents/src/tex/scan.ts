// Finds the parts of TeX source: groups, arguments, environments and comments.

/** A part of the source, and where the source continues after it. */
export interface Part {
  readonly text: string
  readonly end: number
}

/** Returns the content between a bracket at `start` and the one that closes it, or the rest of the source if none does. */
export function groupAt(source: string, start: number): Part {
  const open = source[start]
  const close = open === '[' ? ']' : '}'
  let depth = 0
  for (let at = start; at < source.length; at += 1) {
    const character = source[at]
    if (character === '\\') at += 1
    else if (character === '{' && open === '[') at = groupAt(source, at).end - 1
    else if (character === open) depth += 1
    else if (character === close && --depth === 0) return { text: source.slice(start + 1, at), end: at + 1 }
  }
  return { text: source.slice(start + 1), end: source.length }
}

/** Returns the argument of a command: a group, or else one character or command. White space before it is skipped. */
export function argumentAt(source: string, start: number): Part {
  let at = start
  while (/\s/.test(source[at] ?? '')) at += 1
  if (source[at] === '{') return groupAt(source, at)
  if (source[at] === '\\') {
    const { end } = commandAt(source, at)
    return { text: source.slice(at, end), end }
  }
  return { text: source[at] ?? '', end: at + 1 }
}

/** Returns the position after an optional argument, and the argument if there is one. */
export function optionAt(source: string, start: number): Part | undefined {
  let at = start
  while (source[at] === ' ') at += 1
  return source[at] === '[' ? groupAt(source, at) : undefined
}

const letters = /[a-zA-Z@]*/y

/** Returns the name of the command at a backslash, without it and with its star, and the position after it. */
export function commandAt(source: string, start: number): Part {
  letters.lastIndex = start + 1
  const word = letters.exec(source)?.[0] ?? ''
  if (word === '') return { text: source[start + 1] ?? '', end: Math.min(start + 2, source.length) }
  const end = start + 1 + word.length
  return source[end] === '*' ? { text: `${word}*`, end: end + 1 } : { text: word, end }
}

const maxInner = 100

/** Returns the content of the environment whose content begins at `start`, up to its end or that of the source. */
export function environmentAt(source: string, name: string, start: number): Part {
  const begin = `\\begin{${name}}`
  const end = `\\end{${name}}`
  let at = start
  for (let depth = 1, steps = 0; steps < 2 * maxInner; steps += 1) {
    const closing = source.indexOf(end, at)
    if (closing < 0) break
    const opening = source.indexOf(begin, at)
    if (opening >= 0 && opening < closing) {
      depth += 1
      at = opening + begin.length
      continue
    }
    depth -= 1
    if (depth === 0) return { text: source.slice(start, closing), end: closing + end.length }
    at = closing + end.length
  }
  return { text: source.slice(start), end: source.length }
}

/** Removes comments: from a percent sign to the end of its line, with the line end and the indent of the next line. */
export function withoutComments(source: string): string {
  return source
    .split('\n')
    .map((line) => {
      const at = commentIn(line)
      return at < 0 ? `${line}\n` : at === 0 ? '' : line.slice(0, at)
    })
    .join('')
}

function commentIn(line: string): number {
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === '%') return at
  }
  return -1
}

// Finds the parts of TeX source: groups, arguments, environments and comments.
import { verbatim } from './tables.ts'

/** A part of the source, and where the source continues after it. */
export interface Part {
  readonly text: string
  readonly end: number
}

/**
 * Returns the content between a bracket at `start` and the one that closes it, or the rest of the source if none does. Comments
 * are skipped, unless the content is a URL.
 */
export function groupAt(source: string, start: number, isUrl = false): Part {
  const open = source[start]
  const close = open === '[' ? ']' : '}'
  let depth = 0
  for (let at = start; at < source.length; at += 1) {
    const character = source[at]
    if (character === '\\') at = isUrl ? at + 1 : afterVerbatim(source, at) - 1
    else if (character === '%' && !isUrl) at = afterComment(source, at) - 1
    else if (character === '{' && open === '[') at = groupAt(source, at).end - 1
    else if (character === open) depth += 1
    else if (character === close && --depth === 0) return { text: source.slice(start + 1, at), end: at + 1 }
  }
  return { text: source.slice(start + 1), end: source.length }
}

/** Returns the position after a comment, which ends with its line. */
export function afterComment(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end + 1
}

/** Returns the position after verbatim text or a URL whose command begins here, or else after the backslash and its character. */
function afterVerbatim(source: string, at: number): number {
  const { text, end } = commandAt(source, at)
  if (text === 'verb' || text === 'verb*') return delimitedAt(source, end).end
  if (text === 'url' || text === 'href') return urlAt(source, end).end
  if (text !== 'begin') return at + 2
  const name = /^\{([a-zA-Z]{1,20}\*?)\}/.exec(source.slice(end, end + 25))?.[1] ?? ''
  return verbatim.has(name) ? environmentAt(source, name, end + name.length + 2).end : at + 2
}

/** Returns the source between a character and its next occurrence. */
export function delimitedAt(source: string, start: number): Part {
  const found = source.indexOf(source[start] ?? '', start + 1)
  const end = found < 0 ? source.length : found
  return { text: source.slice(start + 1, end), end: end + 1 }
}

/** Returns the argument of a command that is a URL, in which a percent sign begins no comment. */
export function urlAt(source: string, start: number): Part {
  let at = start
  while (/\s/.test(source[at] ?? '')) at += 1
  return source[at] === '{' ? groupAt(source, at, true) : argumentAt(source, at)
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

/**
 * Returns the content of the environment whose content begins at `start`, up to its end or that of the source. Comments are
 * skipped, unless they are in verbatim text.
 */
export function environmentAt(source: string, name: string, start: number): Part {
  const end = `\\end{${name}}`
  if (verbatim.has(name)) {
    const found = source.indexOf(end, start)
    return found < 0 ? restOf(source, start) : { text: source.slice(start, found), end: found + end.length }
  }
  const begin = `\\begin{${name}}`
  let depth = 1
  for (let at = start; at < source.length && depth <= maxInner;) {
    if (source[at] === '%') at = afterComment(source, at)
    else if (source[at] !== '\\') at += 1
    else if (source.startsWith(end, at)) {
      depth -= 1
      if (depth === 0) return { text: source.slice(start, at), end: at + end.length }
      at += end.length
    } else if (source.startsWith(begin, at)) {
      depth += 1
      at += begin.length
    } else at = afterVerbatim(source, at)
  }
  return restOf(source, start)
}

function restOf(source: string, start: number): Part {
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

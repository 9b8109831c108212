import { bounds } from './builder.ts'

const wrapping =
  /^\s*(?:<!--|(?:\/\/|\/\*)?\s*<!\[CDATA\[(?:\s*\*\/)?)|(?:-->|(?:\/\/|\/\*)?\s*\]\]>(?:\s*\*\/)?|;)\s*$/g

/**
 * Parses the JSON of a script, tolerating common mistakes: comments around it, line breaks in strings, trailing commas.
 * Returns `undefined` if it is not valid even then, or has more than 2 million characters.
 */
export function readScriptJson(text: string): unknown {
  if (text.length > bounds.script) return undefined
  const bare = text.replaceAll(wrapping, '')
  return parse(bare) ?? parse(mended(bare))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Replaces control characters in strings with spaces and removes trailing commas. */
function mended(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\[^])*"|,(?=\s*[\]}])/g, (found) =>
    found === ',' ? '' : found.replaceAll(/[\0-\x1F]+/g, ' '),
  )
}

const assigned =
  /(?:^|[\s;,(.])(?:window\.|self\.|globalThis\.)?(__[A-Z][A-Z_]+__|__[a-zA-Z]+State|initialState|INITIAL_STATE|dataLayer|digitalData|utag_data|pageData)\s*=\s*(?=[[{])/g
const maxAssignments = 10

/**
 * Returns the JSON values that a script assigns to variables in which frameworks store their state, at most 10. Invalid ones
 * are skipped; empty for a script of more than 2 million characters.
 */
export function readAssignedJson(script: string): unknown[] {
  if (script.length > bounds.script) return []
  const found: unknown[] = []
  let tries = 0
  for (const { index, 0: written } of script.matchAll(assigned)) {
    if (++tries > maxAssignments) break
    const from = index + written.length
    const value = parse(script.slice(from, endOfJson(script, from)))
    if (value !== undefined) found.push(value)
  }
  return found
}

/** Returns the index after the bracket that closes the one at `from`. */
function endOfJson(text: string, from: number): number {
  const signs = /["{}[\]]/g
  signs.lastIndex = from
  let depth = 0
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const sign = found[0]
    if (sign === '"') {
      const string = /(?:[^"\\]|\\[^])*"/y
      string.lastIndex = signs.lastIndex
      if (!string.test(text)) return text.length
      signs.lastIndex = string.lastIndex
    } else if (sign === '{' || sign === '[') depth += 1
    else if (--depth === 0) return signs.lastIndex
  }
  return text.length
}

/** Returns one escaped segment of a JSON Pointer, with its slash. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

// Finds the JSON in a model's output, despite code fences, prose, reasoning and trailing commas. Does not complete JSON.
import { parseJson } from '@harvestman/toolbox/parse-json'
import type { Json } from '@harvestman/ports'

/**
 * Returns the JSON value of the whole string, else of its last valid code block, else the largest complete object or array in it.
 * Trailing commas in the latter two are ignored. `undefined` if there is none, or if the output was cut inside an object or
 * array: a part of it is not the answer.
 */
export function readJson(text: string, wasCut = false): { readonly value: Json } | undefined {
  // Anchored patterns: an unanchored one takes quadratic time on a string that repeats its beginning.
  const plain = text
    .trim()
    .replace(/^<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/, '')
    .trim()
  return parse(plain) ?? fenced(plain) ?? embedded(plain, wasCut)
}

function parse(text: string): { readonly value: Json } | undefined {
  const value = parseJson(text)
  return value === undefined ? undefined : { value: value as Json }
}

function fenced(text: string): { readonly value: Json } | undefined {
  const blocks = [...text.matchAll(/```[\w-]*[ \t]*\r?\n([\s\S]*?)```/g)].map(([, inside = '']) => inside.trim())
  // The last block counts; earlier ones are drafts.
  for (const block of blocks.toReversed()) {
    const read = parse(block) ?? parse(withoutCommas(block))
    if (read) return read
  }
  return undefined
}

const maxStarts = 50

/** Returns the largest object or array inside other text. */
function embedded(text: string, wasCut: boolean): { readonly value: Json } | undefined {
  let best: { readonly value: Json; readonly length: number } | undefined
  let at = 0
  for (let count = 0; count < maxStarts; count += 1) {
    const offset = text.slice(at).search(/[[{]/)
    if (offset < 0) break
    const start = at + offset
    const end = closing(text, start)
    if (end === undefined) {
      if (wasCut) return undefined
      at = start + 1
      continue
    }
    const piece = text.slice(start, end)
    const read = parse(piece) ?? parse(withoutCommas(piece))
    if (read && piece.length > (best?.length ?? 0)) best = { ...read, length: piece.length }
    at = read ? end : start + 1
  }
  return best && { value: best.value }
}

/** Returns the index after the bracket that closes the one at `start`, or `undefined` if it is not closed. */
function closing(text: string, start: number): number | undefined {
  let depth = 0
  let isInText = false
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (isInText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isInText = false
    } else if (sign === '"') isInText = true
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/** Removes trailing commas before closing brackets, except inside strings. */
function withoutCommas(text: string): string {
  const pieces: string[] = []
  let from = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '\\' && isInText) at += 1
    else if (sign === '"') isInText = !isInText
    else if (sign === ',' && !isInText && /^\s{0,200}[}\]]/.test(text.slice(at + 1, at + 202))) {
      pieces.push(text.slice(from, at))
      from = at + 1
    }
  }
  return pieces.join('') + text.slice(from)
}

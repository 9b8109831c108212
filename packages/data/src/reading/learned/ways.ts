// Converts page text to values, and finds the conversions that lead from page text to a known value.
import { type Base, lineOf, numberPattern, readDay, readNumber, resolveUrl } from '@harvestman/html/internal'
import type { LearnedScalar, Way } from './types.ts'

const maxNumberLength = 60
const maxBeforeLength = 40
const maxAfterLength = 40
/** Maximum number of words in `before`, plus one for the trailing space. Allows a label such as "Written by". */
const maxWordsBefore = 4
const isoDay = /^\d{4}-\d{2}-\d{2}$/

/** Converts text to a value; a date becomes `2024-05-31`. Returns `undefined` if the text does not match. */
export function readIn(raw: string, way: Way, base: Base): LearnedScalar | undefined {
  const cut = cutText(lineOf(raw), way)
  if (cut === undefined || cut === '') return undefined
  switch (way.as) {
    case 'text':
      return cut
    case 'url':
      return resolveUrl(cut, base) ?? undefined
    case 'date':
      return /\d/.test(cut) ? readDay(cut, way.order) : undefined
    case 'number':
    case 'price':
      return onlyNumber.test(cut) ? readNumber(cut, way.as === 'price') : undefined
  }
}

function cutText(line: string, { before = '', after = '', until }: Way): string | undefined {
  if (!line.toLowerCase().startsWith(before.toLowerCase()) || !line.endsWith(after)) return undefined
  if (line.length < before.length + after.length) return undefined
  const text = line.slice(before.length, line.length - after.length)
  const end = until === undefined ? text.length : text.indexOf(until)
  return end < 0 ? undefined : text.slice(0, end).trim()
}

/** Returns the conversions that turn this text into this value. Empty if none does, and always for booleans. */
export function waysTo(raw: string, value: LearnedScalar, base: Base): readonly Way[] {
  const line = lineOf(raw)
  if (line === '') return []
  if (typeof value === 'number') return numberWays(line, value)
  if (typeof value === 'boolean') return []
  if (isoDay.test(value)) return dateWays(line, value)
  if (line === lineOf(value)) return [{ as: 'text' }]
  if (/^https?:\/\//.test(value)) return resolveUrl(line, base) === value ? [{ as: 'url' }] : []
  return cutWays(line, lineOf(value))
}

const onlyNumber = /^\d[\d.,' ]{0,30}$/
const money = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|AUD|CAD|kr|zł|Kč|Ft|лв)\b/u

function numberWays(line: string, value: number): readonly Way[] {
  if (line.length > maxNumberLength) return []
  // In a price, three digits after a point are thousands. In other numbers this is ambiguous.
  const as = money.test(line) ? 'price' : 'number'
  return [...line.matchAll(numberPattern)].flatMap(({ 0: found, index }): readonly Way[] => {
    const number = found.trim()
    const before = line.slice(0, index)
    const after = line.slice(index + number.length)
    if (readNumber(number, as === 'price') !== value || /\d/.test(before + after)) return []
    return [{ as, ...(before !== '' && { before }), ...(after !== '' && { after }) }]
  })
}

function dateWays(line: string, value: string): readonly Way[] {
  if (readDay(line, undefined) === value) return [{ as: 'date' }]
  return (['dmy', 'mdy'] as const)
    .filter((order) => readDay(line, order) === value)
    .map((order) => ({ as: 'date', order }))
}

const letter = /[\p{L}\p{N}]/u

/** Matches if the value is part of a hyphenated word, such as `style` in `/life-style`. */
const partOfWord = { before: /[\p{L}\p{N}][-_]$/u, after: /^[-_][\p{L}\p{N}]/u } as const

function cutWays(line: string, value: string): readonly Way[] {
  const at = value.length < 2 ? -1 : line.indexOf(value)
  if (at < 0) return []
  const before = line.slice(0, at)
  const after = line.slice(at + value.length)
  if (letter.test(before.at(-1) ?? ' ') || letter.test(after[0] ?? ' ')) return []
  if (partOfWord.before.test(before) || partOfWord.after.test(after)) return []
  if (before.length > maxBeforeLength || /\d/.test(before) || before.split(' ').length > maxWordsBefore) return []
  const start = before === '' ? {} : { before }
  if (after === '') return [{ as: 'text', ...start }]
  if (after.length <= maxAfterLength && !/\d/.test(after)) return [{ as: 'text', ...start, after }]
  const until = /^\s?[^\p{L}\p{N}\s]\s|^\s[^\p{L}\p{N}\s]+\s|^[,|(]/u.exec(after)?.[0]
  return until === undefined || value.includes(until) ? [] : [{ as: 'text', ...start, until }]
}

/** Returns whether two values are equal, ignoring typographic differences of strings. */
export function isSameValue(one: LearnedScalar, other: LearnedScalar): boolean {
  if (one === other) return true
  if (typeof one !== 'string' || typeof other !== 'string') return false
  return plain(one) === plain(other)
}

/** Normalizes quotes, dashes, whitespace and invisible characters. */
function plain(text: string): string {
  return lineOf(text.normalize('NFKC'))
    .replaceAll(/[‘’‛′]/g, "'")
    .replaceAll(/[“”„″]/g, '"')
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/[\u200B-\u200D\uFEFF\u00AD]/g, '')
}

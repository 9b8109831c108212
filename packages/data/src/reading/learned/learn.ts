// Learns an extractor from pages with known values. Each further page confirms or drops alternatives.
import type { Facts } from './facts.ts'
import { hintsFor } from './hints.ts'
import { alternativesFor, alternativesForMany, keyOf } from './induce.ts'
import { listOf, oneOf, valueOf } from './locate.ts'
import { partsOf, type LearnedRecord, type Parts } from './pointers.ts'
import { factsOfRow, findRows, rowsOf } from './rows.ts'
import { likeness, pathShape, printOf, surelyTheSame } from './template.ts'
import {
  learnedBounds,
  type Alternative,
  type FieldProgram,
  type LearnedScalar,
  type ListProgram,
  type Program,
} from './types.ts'
import { isSameValue } from './ways.ts'
import { expectedAfter, weightOf, wordsFor } from './weigh.ts'

/** A page with known values. */
export interface AnsweredPage {
  readonly facts: Facts
  readonly url: string
  readonly answer: LearnedRecord
}

/**
 * Returns an extractor for these values, improved from `known` if given. New fields that are not found on the page have no
 * alternatives; lists of objects that are not found are dropped.
 */
export function learn({ facts, url, answer }: AnsweredPage, known?: Program): Program {
  const parts = partsOf(answer)
  return {
    version: 1,
    path: known?.path ?? pathShape(url),
    print: printAfter(known?.print, printOf(facts)),
    pages: (known?.pages ?? 0) + 1,
    fields: learnFields(facts, parts, known?.fields ?? {}),
    lists: learnLists(facts, parts, known?.lists ?? {}),
  }
}

/** Returns the template's fingerprint: the known one, or that of the new page if the site was redesigned. */
function printAfter(known: Program['print'] | undefined, print: Program['print']): Program['print'] {
  return known && likeness(known, print) >= surelyTheSame ? known : print
}

type Fields = Readonly<Record<string, FieldProgram>>

function learnFields(facts: Facts, { scalars, lists }: Pick<Parts, 'scalars' | 'lists'>, known: Fields): Fields {
  const fields = new Map(Object.entries(known))
  for (const pointer of new Set([...fields.keys(), ...scalars.keys(), ...lists.keys()])) {
    const many = lists.get(pointer)
    const before = fields.get(pointer)
    const words = wordsFor(pointer)
    const isNull = scalars.get(pointer) === null
    const field = many
      ? learnMany(facts, many, before, words)
      : before?.many
        ? { ...before, expected: expectedAfter(before.expected, undefined) }
        : learnOne(facts, scalars.get(pointer) ?? undefined, before, words)
    fields.set(pointer, isNull ? { ...field, isNull: true } : field)
  }
  return Object.fromEntries(fields)
}

function learnOne(
  facts: Facts,
  value: LearnedScalar | undefined,
  before: FieldProgram | undefined,
  words: RegExp,
): FieldProgram {
  const judged = (before?.alternatives ?? []).map((one) => judge(one, value, oneOf(valueOf(facts, one))))
  const fresh = value === undefined ? [] : alternativesFor(facts, value)
  const alternatives = joined(judged, fresh, words)
  const hints = alternatives.length > 0 || value === undefined ? before?.hints : hintsFor(facts, value, before?.hints)
  return { expected: expectedAfter(before?.expected, value), ...(hints && { hints }), alternatives }
}

function learnMany(
  facts: Facts,
  values: readonly LearnedScalar[],
  before: FieldProgram | undefined,
  words: RegExp,
): FieldProgram {
  const wanted = JSON.stringify(values)
  const judged = (before?.alternatives ?? []).map((one) => judge(one, wanted, listOf(facts, one)?.value))
  const alternatives = joined(judged, alternativesForMany(facts, values), words)
  return { many: true, expected: expectedAfter(before?.expected, wanted), alternatives }
}

function judge(one: Alternative, value: LearnedScalar | undefined, found: LearnedScalar | undefined): Alternative {
  if (value === undefined) {
    if (found === undefined) return { ...one, silent: (one.silent ?? 0) + 1 }
    return { ...one, wrong: one.wrong + 1, invented: (one.invented ?? 0) + 1 }
  }
  if (found === undefined) return { ...one, none: one.none + 1 }
  return isSameValue(value, found) ? { ...one, right: one.right + 1 } : { ...one, wrong: one.wrong + 1 }
}

/** Merges alternatives. Drops any that was wrong at least as often as right, and the weakest beyond the limit. */
function joined(judged: readonly Alternative[], fresh: readonly Alternative[], words: RegExp): readonly Alternative[] {
  const dropped = new Set(judged.filter(({ right, wrong }) => wrong >= right).map(keyOf))
  const all = new Map<string, Alternative>()
  for (const one of [...judged, ...fresh]) {
    const key = keyOf(one)
    if (!dropped.has(key) && !all.has(key)) all.set(key, one)
  }
  const ranked = [...all.values()].toSorted((one, other) => weightOf(other, words) - weightOf(one, words))
  return ranked.slice(0, learnedBounds.alternatives)
}

const maxTaughtRows = 20

function learnLists(facts: Facts, { tables }: Parts, known: Program['lists']): Program['lists'] {
  const lists = new Map(Object.entries(known))
  for (const [pointer, items] of tables) {
    const list = learnList(facts, items, lists.get(pointer))
    if (list) lists.set(pointer, list)
    else lists.delete(pointer)
  }
  return Object.fromEntries(lists)
}

function learnList(
  facts: Facts,
  items: readonly LearnedRecord[],
  before: ListProgram | undefined,
): ListProgram | undefined {
  const known = before && findRows(facts, before.rows)
  const isKnown = known?.length === items.length
  const found = isKnown ? { rows: known, selectors: before!.rows } : rowsOf(facts, items)
  if (!found) return undefined
  let fields: Fields = isKnown ? before!.fields : {}
  found.rows.slice(0, maxTaughtRows).forEach((row, index) => {
    fields = learnFields(factsOfRow(facts, row), partsOf(items[index]!), fields)
  })
  return { rows: found.selectors, fields }
}

// Runs an extractor on a page. Returns the values with their evidence, and the doubtful fields with reasons.
import { pointerStep } from '@harvestman/html/internal'
import { wordsAround } from './around.ts'
import type { Facts } from './facts.ts'
import { listOf, valueOf } from './locate.ts'
import { put } from './pointers.ts'
import { factsOfRow, findRows } from './rows.ts'
import { likeness, printOf, surelyTheSame } from './template.ts'
import type {
  DoubtReason,
  FieldProgram,
  LearnedEvidence,
  LearnedRead,
  LearnedScalar,
  LearnedValue,
  ListProgram,
  Program,
} from './types.ts'
import { decide, wordsFor, type Verdict } from './weigh.ts'

interface Reading {
  readonly value: Record<string, LearnedValue | undefined>
  readonly evidence: Record<string, LearnedEvidence>
  readonly doubts: Record<string, DoubtReason>
  readonly around: Record<string, string>
  readonly absent: string[]
}

/** Returns all selectors in an extractor, for indexing a page. May contain duplicates and empty strings. */
export function selectorsOf({ fields, lists }: Program): readonly string[] {
  const own = Object.values(fields).flatMap(({ alternatives, hints = [] }) => [
    ...alternatives.map(({ selector }) => selector ?? ''),
    ...hints,
  ])
  return [...own, ...Object.values(lists).flatMap(({ rows }) => rows)]
}

/**
 * Reads the values of a page. Uncertain values are omitted from `value` and listed in `doubts`; fields that the page lacks are
 * listed in `absent`, and may be `null`. `value` is empty if nothing was read.
 */
export function run(facts: Facts, program: Program, print = printOf(facts)): LearnedRead {
  const reading: Reading = { value: {}, evidence: {}, doubts: {}, around: {}, absent: [] }
  const alike = likeness(program.print, print)
  readFields(facts, program.fields, alike >= surelyTheSame, reading)
  for (const [pointer, list] of Object.entries(program.lists)) readList(facts, list, pointer, reading)
  return { ...reading, likeness: alike }
}

function readFields(facts: Facts, fields: Program['fields'], isAlike: boolean, reading: Reading): void {
  const absent: (readonly [pointer: string, field: FieldProgram])[] = []
  let found = 0
  const stability = { still: 0, of: 0 }
  for (const [pointer, field] of Object.entries(fields)) {
    const verdict = readField(facts, field, wordsFor(pointer))
    if (!('doubt' in verdict)) {
      found += 1
      stability.still += verdict.stability.still
      stability.of += verdict.stability.of
      note(reading, pointer, field, verdict)
    } else if (verdict.doubt === 'not found' && mayBeAbsent(field) && isAlike) absent.push([pointer, field])
    else {
      reading.doubts[pointer] = field.alternatives.length === 0 ? 'not learned' : verdict.doubt
      const words = wordsAround(facts, field)
      if (words !== undefined) reading.around[pointer] = words
    }
  }
  // If few fields are found, or by fewer alternatives than before, missing ones have probably moved rather than disappeared.
  const isTrusted = found >= Object.keys(reading.doubts).length && stability.still >= stability.of * minStability
  for (const [pointer, { isNull }] of absent) {
    if (!isTrusted) reading.doubts[pointer] = 'not found'
    else reading.absent.push(pointer)
    if (isTrusted && isNull) put(reading.value, pointer, null)
  }
}

/** Minimum share of alternatives that still match. Below this, missing fields are doubtful rather than absent. */
const minStability = 0.7

/** Whether some known pages lacked the field, and it could be learned if any page had it. */
function mayBeAbsent({ expected: { seen, absent }, alternatives }: FieldProgram): boolean {
  return absent > 0 && (alternatives.length > 0 || seen === 0)
}

type Agreed = Exclude<Verdict, { readonly doubt: unknown }>

function note(
  { value, evidence }: Reading,
  pointer: string,
  field: FieldProgram,
  { found, agreed, selector }: Agreed,
): void {
  const { many, alternatives } = field
  const learned: LearnedEvidence = {
    method: 'learned',
    quote: found.quote.slice(0, 300),
    selector,
    agreed,
    of: alternatives.length,
  }
  const list = many ? asList(found.value) : undefined
  put(value, pointer, list ?? found.value)
  if (list) list.forEach((_, index) => (evidence[pointer + pointerStep(index)] = learned))
  else evidence[pointer] = learned
}

function readField(facts: Facts, field: FieldProgram, words: RegExp): Verdict {
  const votes = field.alternatives.map((alternative) => ({
    alternative,
    found: field.many ? listOf(facts, alternative) : valueOf(facts, alternative),
  }))
  const verdict = decide(
    votes,
    field.many ? { ...field.expected, minLength: 0, maxLength: 1e6 } : field.expected,
    words,
  )
  return 'doubt' in verdict || isConfirmed(field) ? verdict : { doubt: 'too little agreement' }
}

/** Rejects fields that were seen on several pages but have no alternative that worked twice. A single match may be chance. */
function isConfirmed({ expected, alternatives }: FieldProgram): boolean {
  return expected.seen < 2 || alternatives.some(({ right }) => right > 1)
}

function asList(value: LearnedScalar): readonly LearnedScalar[] {
  // Cast: `listOf` wrote it.
  return JSON.parse(String(value)) as readonly LearnedScalar[]
}

/** Reads all rows or none, because a skipped row would shift the positions of the others. */
function readList(facts: Facts, { rows: selectors, fields }: ListProgram, pointer: string, reading: Reading): void {
  const rows = findRows(facts, selectors)
  const read = rows?.map((row): Reading => {
    const inner: Reading = { value: {}, evidence: {}, doubts: {}, around: {}, absent: [] }
    readFields(factsOfRow(facts, row), fields, true, inner)
    return inner
  })
  const doubt = read?.flatMap(({ doubts }) => Object.values(doubts))[0]
  if (!read || doubt) {
    reading.doubts[pointer] = doubt ?? 'not found'
    return
  }
  put(
    reading.value,
    pointer,
    read.map(({ value }) => value),
  )
  read.forEach(({ evidence }, index) => {
    for (const [inner, one] of Object.entries(evidence)) reading.evidence[pointer + pointerStep(index) + inner] = one
  })
}

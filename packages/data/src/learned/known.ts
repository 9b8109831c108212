// Answers of `json` from learned programs, and programs from answers.
import type { AskedOfPage, KnownAnswers } from '@harvestman/core/plugin'
import type { LearnedRead, Program as LearnedProgram } from '../reading/learned/types.ts'
import { isRecord, type Json } from '@harvestman/ports'

import { learnedReading, taughtReading } from '../readings.ts'
import { missingOf } from './missing.ts'
import { programSchema } from './program.ts'
import { questionOf, catalogIn, type Extractor, type Catalog } from './catalog.ts'

/** The programs that are learned from what a model answers, as answers for the pages after it. */
export const learnedAnswers: KnownAnswers = {
  find: (asked) =>
    unlessItFails(asked, async () => {
      const read = await readBy(asked, await programsFor(asked))
      if (!read) return undefined
      const { value, evidence } = read
      const missing = missingOf(asked.schema, read)
      return { value, evidence, missing, ...excerptOf(missing, read) }
    }),
  learn: async (asked, answer) => void (await unlessItFails(asked, () => learnFrom(asked, answer))),
}

/** The parts of the page where the missing values may stand, when they are known of each of them. */
function excerptOf(missing: readonly string[], { around }: ReadBy): { readonly excerpt?: string } {
  const parts = missing.map((pointer) => around[pointer])
  if (parts.length === 0 || parts.includes(undefined)) return {}
  return { excerpt: [...new Set(parts)].join('\n\n') }
}

/** A page that cannot be read again, or a store that fails, is no reason to lose the answer of a model. */
async function unlessItFails<T>({ signal }: AskedOfPage, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** What an answered page teaches: a new program, or one that was known and knows more. */
export async function learnFrom(asked: AskedOfPage, answer: Json): Promise<Extractor | undefined> {
  const { host, question } = placeOf(asked)
  if (!isRecord(answer) || host === '') return undefined
  const known = await programsFor(asked)
  const before = await readBy(asked, known)
  const taught = before && known[before.program]
  const program = programSchema.safeParse(
    await asked.read(asked.page, taughtReading, { answer, ...(taught && { program: asJson(taught.program) }) }),
  ).data
  if (!program || !isOfUse(program)) return undefined
  return catalogOf(asked).put({ host, question, program }, taught?.id)
}

/** Without one value that can be found again there is nothing to keep. */
function isOfUse({ fields, lists }: LearnedProgram): boolean {
  return Object.keys(lists).length > 0 || Object.values(fields).some(({ alternatives }) => alternatives.length > 0)
}

function placeOf({ page, schema, prompt }: AskedOfPage): { readonly host: string; readonly question: string } {
  return { host: new URL(page.url).host, question: questionOf(schema, prompt) }
}

const catalogOf = ({ store, clock }: AskedOfPage): Catalog => catalogIn(store, () => clock.now())

async function programsFor(asked: AskedOfPage): Promise<readonly Extractor[]> {
  const { host, question } = placeOf(asked)
  return host === '' ? [] : catalogOf(asked).of(host, question)
}

async function readBy({ page, read }: AskedOfPage, known: readonly Extractor[]): Promise<ReadBy | undefined> {
  if (known.length === 0) return undefined
  const programs = known.map(({ program }) => asJson(program))
  // Cast: the reading is ours, and gives what its type says.
  return (await read(page, learnedReading, { programs })) as ReadBy | undefined
}

/** A program is JSON, which the type of an interface does not say. */
function asJson(program: LearnedProgram): Json {
  const fields: unknown = program
  return fields as Json
}

type ReadBy = LearnedRead & { readonly program: number }

// Uses learned extractors for the `json` format, and learns new ones from its values.
import type { ExtractionTask, KnownAnswers } from '@harvestman/core/plugin'
import type { LearnedRead, Program as LearnedProgram } from '../reading/learned/types.ts'
import { isRecord, type Json } from '@harvestman/ports'

import { learnedReading, taughtReading } from '../readings.ts'
import { missingOf } from './missing.ts'
import { programSchema } from './program.ts'
import { questionOf, catalogIn, type Extractor, type Catalog } from './catalog.ts'

/** Reads values with learned extractors, and learns from the values that a model returned. */
export const learnedAnswers: KnownAnswers = {
  find: (task) =>
    unlessItFails(task, async () => {
      const read = await readBy(task, await programsFor(task))
      if (!read) return undefined
      const { value, evidence } = read
      const missing = missingOf(task.schema, read)
      return { value, evidence, missing, ...excerptOf(missing, read) }
    }),
  learn: async (task, answer) => void (await unlessItFails(task, () => learnFrom(task, answer))),
}

/** Returns the parts of the page that may contain the missing values, if they are known for each of them. */
function excerptOf(missing: readonly string[], { around }: ReadBy): { readonly excerpt?: string } {
  const parts = missing.map((pointer) => around[pointer])
  if (parts.length === 0 || parts.includes(undefined)) return {}
  return { excerpt: [...new Set(parts)].join('\n\n') }
}

/** Returns `undefined` if reading or learning fails, so that the model's value is never lost. Rethrows aborts. */
async function unlessItFails<T>({ signal }: ExtractionTask, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/**
 * Creates and stores an extractor from a page and its values, or improves the one that read the page. Returns `undefined` if
 * nothing was learned, as when `answer` is not an object. Rejects if the page cannot be read or the store fails.
 */
export async function learnFrom(task: ExtractionTask, answer: Json): Promise<Extractor | undefined> {
  const { host, question } = placeOf(task)
  if (!isRecord(answer) || host === '') return undefined
  const known = await programsFor(task)
  const before = await readBy(task, known)
  const taught = before && known[before.program]
  const program = programSchema.safeParse(
    await task.read(task.page, taughtReading, { answer, ...(taught && { program: asJson(taught.program) }) }),
  ).data
  if (!program || !isOfUse(program)) return undefined
  return catalogOf(task).put({ host, question, program }, taught?.id)
}

/** Whether at least one value can be found again. Otherwise the extractor is useless. */
function isOfUse({ fields, lists }: LearnedProgram): boolean {
  return Object.keys(lists).length > 0 || Object.values(fields).some(({ alternatives }) => alternatives.length > 0)
}

function placeOf({ page, schema, prompt }: ExtractionTask): { readonly host: string; readonly question: string } {
  return { host: new URL(page.url).host, question: questionOf(schema, prompt) }
}

const catalogOf = ({ store, clock }: ExtractionTask): Catalog => catalogIn(store, () => clock.now())

async function programsFor(task: ExtractionTask): Promise<readonly Extractor[]> {
  const { host, question } = placeOf(task)
  return host === '' ? [] : catalogOf(task).of(host, question)
}

async function readBy({ page, read }: ExtractionTask, known: readonly Extractor[]): Promise<ReadBy | undefined> {
  if (known.length === 0) return undefined
  const programs = known.map(({ program }) => asJson(program))
  // Cast: the reading returns this type.
  return (await read(page, learnedReading, { programs })) as ReadBy | undefined
}

/** Cast: a `LearnedProgram` is JSON, but interfaces are not assignable to `Json`. */
function asJson(program: LearnedProgram): Json {
  const fields: unknown = program
  return fields as Json
}

type ReadBy = LearnedRead & { readonly program: number }

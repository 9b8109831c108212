import { EngineError } from '../errors/error.ts'
import type { DeriveContext, Field } from '../plugin/field.ts'
import type { Page } from '../plugin/parts.ts'
import type { ScrapeContext } from './context.ts'

/** Values by the name of their field. */
export type Fields = Readonly<Record<string, unknown>>

/** Works out each format that was asked for, once: what it needs first, siblings at the same time. */
export async function derive(
  { plan, kit, time: { signal } }: ScrapeContext,
  page: Page,
  known: Fields,
  warn: (text: string) => void,
): Promise<Fields> {
  const started = new Map<string, Promise<unknown>>()
  const options = new Map(plan.formats.map(({ format, options }) => [format.name, options]))
  const valueOf = (field: Field): unknown => {
    if (field.name in known) return known[field.name]
    const running = started.get(field.name) ?? work(kit.registry.bind(field))
    started.set(field.name, running)
    return running
  }
  const work = async (field: Field): Promise<unknown> => {
    const needs = await Promise.all(
      Object.entries(field.needs).map(async ([name, need]) => [name, await valueOf(need)] as const),
    )
    const context: DeriveContext = {
      options: options.get(field.name) ?? {},
      request: plan.request,
      page: { url: page.url, status: page.status },
      captured: page.captured[field.name],
      llm: kit.llm,
      clock: kit.clock,
      signal,
      warn,
    }
    return field.derive(Object.fromEntries(needs) as never, context as never)
  }
  const fields = [...plan.formats.map(({ format }) => format), kit.registry.format('metadata') as Field]
  const values = await Promise.all(fields.map(async (field) => [field.name, await guarded(field, valueOf)] as const))
  return Object.fromEntries(values)
}

/** A format that fails in its own way fails in ours. */
async function guarded(field: Field, valueOf: (field: Field) => unknown): Promise<unknown> {
  try {
    return await valueOf(field)
  } catch (error) {
    if (EngineError.is(error)) throw error
    throw new EngineError('format_failed', `The format ${field.name} could not be worked out from this page.`, {
      cause: error,
      details: { format: field.name },
    })
  }
}

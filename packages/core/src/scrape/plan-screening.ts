// Plans the option checkPromptInjection.
import { llmPort } from '../plugin/core-ports.ts'
import { missingPort } from '../plugin/missing-port.ts'
import type { Registry } from '../plugin/registry.ts'
import { screeningPort, type Screening } from '../plugin/screening.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import { EngineError, type LLM } from '@harvestman/ports'
import { readingOf, type Reading } from './readings.ts'

/** The check of a planned scrape. */
export interface PlannedScreening {
  readonly service: Screening
  readonly reading: Reading
  readonly llm: LLM | undefined
}

/**
 * Plans the check for prompt injection; `undefined` if the request does not ask for it. Throws `invalid_request` for a raw body
 * and `not_configured` without a plugin.
 */
export function planScreening(
  { checkPromptInjection, formats }: ScrapeRequest,
  registry: Registry,
  ports: ReadonlyMap<string, unknown>,
): PlannedScreening | undefined {
  if (!checkPromptInjection) return undefined
  const raw = formats.find(({ type }) => registry.format(type)?.isRaw)
  if (raw)
    throw new EngineError(
      'invalid_request',
      `checkPromptInjection does not apply to the format ${raw.type}. Remove one.`,
    )
  const service = ports.get(screeningPort.name) as Screening | undefined
  if (!service) throw missingPort(screeningPort, 'The option checkPromptInjection')
  const llm = ports.get(llmPort.name) as LLM | undefined
  return { service, llm, reading: readingOf(service.reading, { withText: llm !== undefined }, screeningPort.name) }
}

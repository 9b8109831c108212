import type { ScrapeStep } from '@harvestman/ports'
import type { ScrapeContext } from './context.ts'

type ScrapeEvent =
  | { readonly kind: 'scrape.started' }
  | { readonly kind: 'scrape.step'; readonly step: ScrapeStep; readonly ms: number }
  | { readonly kind: 'scrape.completed'; readonly credits: number; readonly ms: number }
  | { readonly kind: 'scrape.failed'; readonly code: string; readonly message: string; readonly ms: number }

/** Reports an event of a scrape to the observer of the engine. */
export function reportEvent(event: ScrapeEvent, { plan, caller, kit }: ScrapeContext): void {
  const { team, id } = caller
  kit.observer({ ...event, url: plan.request.url, team, id, at: kit.clock.now() })
}

/** Runs a step and reports its duration in milliseconds. A step that fails is not reported, and its error rejects. */
export async function timeStep<T>(step: ScrapeStep, context: ScrapeContext, work: () => Promise<T>): Promise<T> {
  const { clock } = context.kit
  const began = clock.now()
  const done = await work()
  reportEvent({ kind: 'scrape.step', step, ms: clock.now() - began }, context)
  return done
}

import type { EngineEvent, Observer } from '@harvestman/core/ports'
import type { Context, Span, SpanStatusCode, context, trace } from '@opentelemetry/api'

import { redacted, withoutSecrets } from './redacted.ts'

/** As much of `@opentelemetry/api` as is used: give the module itself. */
export interface OpenTelemetryApi {
  readonly trace: Pick<typeof trace, 'getTracer' | 'setSpan'>
  readonly context: Pick<typeof context, 'active'>
  readonly SpanStatusCode: Pick<typeof SpanStatusCode, 'ERROR'>
}

interface OpenTrace {
  readonly span: Span
  readonly context: Context
}

/** Scrapes whose end was never told, because their process has a fault, are forgotten beyond this many. */
const mostOpen = 10_000

/** Makes one trace of each scrape, with a span for each step and each loader that was tried. */
export function openTelemetry({ trace, context, SpanStatusCode }: OpenTelemetryApi): Observer {
  const tracer = trace.getTracer('harvestman')
  const open = new Map<string, OpenTrace>()

  const begin = ({ id, at, team }: EngineEvent, url: string): void => {
    const span = tracer.startSpan('scrape', {
      startTime: at,
      attributes: { 'url.full': redacted(url), 'harvestman.team': team, 'harvestman.scrape.id': id },
    })
    const [oldest] = open.keys()
    if (open.size >= mostOpen && oldest !== undefined) open.delete(oldest)
    open.set(id, { span, context: trace.setSpan(context.active(), span) })
  }
  const step = ({ id, at }: EngineEvent, name: string, ms: number, attributes: Record<string, string> = {}): void => {
    const found = open.get(id)
    if (found) tracer.startSpan(name, { startTime: at - ms, attributes }, found.context).end(at)
  }
  const end = ({ id, at }: EngineEvent, finish: (span: Span) => void): void => {
    const found = open.get(id)
    if (!found) return
    open.delete(id)
    finish(found.span)
    found.span.end(at)
  }

  return (event) => {
    switch (event.kind) {
      case 'scrape.started':
        return begin(event, event.url)
      case 'scrape.step':
        return step(event, `scrape ${event.step}`, event.ms)
      case 'loader.tried':
        return step(event, `loader ${event.loader}`, event.ms ?? 0, { 'harvestman.loader.outcome': event.outcome })
      case 'scrape.completed':
        return end(event, (span) => span.setAttribute('harvestman.credits', event.credits))
      case 'scrape.failed':
        return end(event, (span) => {
          span.setAttribute('error.type', event.code)
          span.setStatus({ code: SpanStatusCode.ERROR, message: withoutSecrets(event.message) })
        })
      default:
        return undefined
    }
  }
}

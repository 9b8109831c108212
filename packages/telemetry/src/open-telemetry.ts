import type { EngineEvent, Observer } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { redacted, withoutSecrets } from './redacted.ts'

// The parts of `@opentelemetry/api` that are used, declared here so that the types of this package do not require its
// installation.
export interface TraceSpan {
  setAttribute(name: string, value: string | number): unknown
  setStatus(status: { code: never; message?: string }): unknown
  end(at?: number): void
}

export interface TraceTracer<Context> {
  startSpan(
    name: string,
    options: { startTime?: number; attributes?: Record<string, string> },
    context?: Context,
  ): TraceSpan
}

/** Expects the module `@opentelemetry/api` itself. */
export interface OpenTelemetryApi<Context = unknown> {
  readonly trace: {
    getTracer(name: string): TraceTracer<Context>
    setSpan(context: Context, span: never): Context
  }
  readonly context: { active(): Context }
  readonly SpanStatusCode: { readonly ERROR: unknown }
}

interface OpenTrace<Context> {
  readonly span: TraceSpan
  readonly context: Context
}

/** Limit for scrapes whose end was not reported because of a bug; beyond it, the oldest are dropped. */
const maxOpenScrapes = 10_000

/**
 * Creates an observer that makes one trace per scrape, with a span for each step and each attempted loader. Secrets in URLs
 * and messages are removed. Of more than 10,000 open scrapes, the least recently used ones get no further spans.
 */
export function openTelemetry<Context>({ trace, context, SpanStatusCode }: OpenTelemetryApi<Context>): Observer {
  const tracer = trace.getTracer('harvestman')
  const open = recentlyUsed<string, OpenTrace<Context>>(maxOpenScrapes)

  const begin = ({ id, at, team }: EngineEvent, url: string): void => {
    const span = tracer.startSpan('scrape', {
      startTime: at,
      attributes: { 'url.full': redacted(url), 'harvestman.team': team, 'harvestman.scrape.id': id },
    })
    // Cast: the interface belongs to the caller, who may have a different version of it.
    open.set(id, { span, context: trace.setSpan(context.active(), span as never) })
  }
  const step = ({ id, at }: EngineEvent, name: string, ms: number, attributes: Record<string, string> = {}): void => {
    const found = open.get(id)
    if (found) tracer.startSpan(name, { startTime: at - ms, attributes }, found.context).end(at)
  }
  const end = ({ id, at }: EngineEvent, finish: (span: TraceSpan) => void): void => {
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
          // Cast: as above; the number is the same in all versions.
          span.setStatus({ code: SpanStatusCode.ERROR as never, message: withoutSecrets(event.message) })
        })
      default:
        return undefined
    }
  }
}

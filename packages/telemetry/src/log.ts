import type { EngineEvent, Observer } from '@harvestman/ports'

import { redacted, withoutSecrets } from './redacted.ts'

/** Severity of a line in the log. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/** Options of the log. */
export interface LogOptions {
  readonly level?: LogLevel | 'silent' | undefined
  /** `json` for log processors, or `text` for people. */
  readonly format?: 'json' | 'text' | undefined
  readonly write: (line: string) => void
}

const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

const levelOf: Readonly<Record<string, LogLevel>> = {
  'scrape.completed': 'info',
  'scrape.failed': 'warn',
  'job.stood': 'warn',
  warning: 'warn',
  fault: 'error',
}

/**
 * Creates an observer that writes each event as one line. Events below `level` are dropped; `silent` drops all.
 * Secrets are removed.
 */
export function lineLog({ level = 'info', format = 'json', write }: LogOptions): Observer {
  const most = level === 'silent' ? -1 : levels.indexOf(level)
  const print = format === 'json' ? asJson : asText
  return (event) => {
    const own = levelOf[event.kind] ?? 'debug'
    if (levels.indexOf(own) <= most) write(`${print(clean(event), own)}\n`)
  }
}

type Line = Readonly<Record<string, unknown>> & { readonly kind: string; readonly at: number }

function clean(event: EngineEvent): Line {
  const entries = Object.entries(event).map(([name, value]: [string, unknown]) => {
    if (name === 'url' && typeof value === 'string') return [name, redacted(value)]
    return [name, typeof value === 'string' ? withoutSecrets(value) : value]
  })
  return Object.fromEntries(entries) as Line
}

function asJson({ kind, at, ...rest }: Line, level: LogLevel): string {
  return JSON.stringify({ time: new Date(at).toISOString(), level, event: kind, ...rest })
}

function asText({ kind, at, url, team, message, ...rest }: Line, level: LogLevel): string {
  const facts = Object.entries(rest).flatMap(([name, value]) => (name === 'id' ? [] : [`${name}=${String(value)}`]))
  const time = new Date(at).toISOString().slice(11, 23)
  return [
    time,
    level.padEnd(5),
    kind,
    url,
    message,
    ...facts,
    typeof team === 'string' && team !== 'default' && team !== '' ? `team=${team}` : '',
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

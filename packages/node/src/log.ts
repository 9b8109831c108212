import type { EngineEvent, Observer } from '@harvestman/core/ports'

import type { Config } from './config.ts'

type Level = Exclude<Config['log'], 'silent'>

const levels: readonly Level[] = ['error', 'warn', 'info', 'debug']

const levelOf: Readonly<Record<EngineEvent['kind'], Level>> = {
  'scrape.started': 'debug',
  'loader.tried': 'debug',
  'page.loaded': 'debug',
  'scrape.completed': 'info',
  'scrape.failed': 'warn',
  warning: 'warn',
}

/** Writes events as one line of JSON each. */
export function lineLog(level: Config['log'], write: (line: string) => void): Observer {
  const most = level === 'silent' ? -1 : levels.indexOf(level)
  return (event) => {
    const own = levelOf[event.kind]
    if (levels.indexOf(own) > most) return
    const { kind, at, ...rest } = event
    const line = { time: new Date(at).toISOString(), level: own, event: kind, ...rest }
    write(`${JSON.stringify('url' in line ? { ...line, url: withoutSecrets(line.url) } : line)}\n`)
  }
}

/** Queries and credentials are where people put secrets. */
function withoutSecrets(url: string): string {
  try {
    const { protocol, host, pathname, search } = new URL(url)
    return `${protocol}//${host}${pathname}${search && '?…'}`
  } catch {
    return 'invalid'
  }
}

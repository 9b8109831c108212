import { EngineError } from '@harvestman/ports'
import type { Guard } from '@harvestman/ports'

/** A guard that sends every name to this machine, and refuses hosts that begin with "private". */
export function localGuard(): Guard {
  return {
    checkUrl: (url) => refuse(url.hostname),
    resolve: async (host) => {
      refuse(host)
      return { address: '127.0.0.1', family: 4 }
    },
  }
}

function refuse(host: string): void {
  if (host.startsWith('private')) throw blocked()
}

function blocked(): EngineError {
  return new EngineError('url_blocked', 'This address is not one of the public web.')
}

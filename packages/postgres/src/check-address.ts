import { EngineError } from '@harvestman/ports'

/** Throws `invalid_request` for anything but a URL or a pool, such as an object of options. */
export function checkAddress(of: string, address: unknown): void {
  if (typeof address === 'string') return
  if (typeof address === 'object' && address !== null && 'connect' in address) return
  throw new EngineError(
    'invalid_request',
    `${of} needs the URL of Postgres, such as postgres://localhost/harvestman, or a pool of pg, but got ${shown(address)}.`,
  )
}

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `an object with ${Object.keys(value).join(', ') || 'nothing'}`
    : String(value)

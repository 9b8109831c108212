import { EngineError } from '@harvestman/ports'

/** Throws `invalid_request` for anything but a URL or a client, such as an object of options. */
export function checkAddress(of: string, address: unknown): void {
  if (typeof address === 'string') return
  if (typeof address === 'object' && address !== null && 'options' in address) return
  throw new EngineError(
    'invalid_request',
    `${of} needs the URL of Redis, such as redis://localhost:6379, or a client of ioredis, but got ${shown(address)}.`,
  )
}

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `an object with ${Object.keys(value).join(', ') || 'nothing'}`
    : String(value)

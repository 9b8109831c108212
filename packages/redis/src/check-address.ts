import { EngineError } from '@harvestman/ports'

const isUrl = /^rediss?(?:\+\w+)?:|^(?!\w+:\/\/)/

/**
 * Throws `invalid_request` for anything but a URL of Redis or a client, such as an object of options. `of` is the name of the
 * function in the message.
 */
export function checkAddress(of: string, address: unknown): void {
  if (typeof address === 'string' && isUrl.test(address)) return
  if (typeof address === 'object' && address !== null && 'options' in address) return
  throw new EngineError(
    'invalid_request',
    `${of} needs the URL of Redis, such as redis://localhost:6379, or a client of ioredis, but got ${shown(address)}.`,
  )
}

// The value itself may have a password.
function shown(value: unknown): string {
  if (typeof value === 'string') return 'another string'
  if (typeof value !== 'object' || value === null) return String(value)
  return `an object with ${Object.keys(value).join(', ') || 'nothing'}`
}

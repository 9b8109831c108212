import { EngineError } from '@harvestman/ports'

const isUrl = /^(?:postgres(?:ql)?:|socket:|\/)/

/**
 * Returns the address. Throws `invalid_request` for anything but a URL of Postgres or a pool, such as an object of options.
 * `of` is the name of the function in the message.
 */
export function checkAddress<Address>(of: string, address: Address): Address {
  if (typeof address === 'string' && isUrl.test(address)) return address
  if (typeof address === 'object' && address !== null && 'connect' in address) return address
  throw new EngineError(
    'invalid_request',
    `${of} needs the URL of Postgres, such as postgres://localhost/harvestman, or a pool of pg, but got ${shown(address)}.`,
  )
}

// The value itself may have a password.
function shown(value: unknown): string {
  if (typeof value === 'string') return 'another string'
  if (typeof value !== 'object' || value === null) return String(value)
  return `an object with ${Object.keys(value).join(', ') || 'nothing'}`
}

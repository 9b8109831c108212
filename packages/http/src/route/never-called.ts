import { z } from 'zod'

const anyName = z.string().max(256)

/**
 * Returns the fields of a route that is always rejected before it runs. Its path parameters are any strings of at most 256
 * characters.
 */
export function neverCalled(path: string) {
  return {
    params: Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, anyName])),
    output: () => z.never(),
    run: (): never => {
      throw new TypeError('This row is not offered.')
    },
  }
}

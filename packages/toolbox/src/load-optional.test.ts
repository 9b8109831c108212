import { expect, test } from 'vitest'

import { loadOptional } from './load-optional.ts'

const missing = (name: string) => async (): Promise<never> => {
  throw Object.assign(new Error(`Cannot find package '${name}' imported from /a/b.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
}

test('a package that is not installed is named with the command that installs it', async () => {
  await expect(
    loadOptional('@harvestman/redis', 'A Redis address', missing('@harvestman/redis')),
  ).rejects.toMatchObject({
    code: 'not_configured',
    message:
      'A Redis address needs the package @harvestman/redis, which is not installed. Run `npm install @harvestman/redis` where Harvestman is installed.',
  })
})

test('a package that cannot load one of its own dependencies reports that', async () => {
  await expect(loadOptional('@harvestman/redis', 'A Redis address', missing('ioredis'))).rejects.toThrow("'ioredis'")
})

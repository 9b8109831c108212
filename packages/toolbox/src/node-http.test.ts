import { expect, test } from 'vitest'

import * as http from 'node:http'

import { nodeHttp } from './node-http.ts'

test('the module is the one that an import has', () => {
  expect(nodeHttp().createServer).toBe(http.createServer)
})

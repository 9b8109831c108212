import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { docs } from './docs.ts'
import { plain } from './paint.ts'
import type { Shell } from './shell.ts'

const shell: Shell = {
  env: {},
  out: () => undefined,
  err: () => undefined,
  isTerminal: false,
  columns: () => 80,
  paint: { out: plain, err: plain },
  stdin: () => new Uint8Array(),
  isInteractive: false,
  lines: async function* () {},
}

test.each(['99999', '65536', 'abc', '', '-1', '1.5'])('the port of the documentation cannot be %j', async (port) => {
  const message = `--port must be an integer from 0 to 65535, but is ${JSON.stringify(port)}.`
  await expect(docs({ port, folder: import.meta.dirname }, shell)).rejects.toEqual(
    new EngineError('invalid_request', message),
  )
})

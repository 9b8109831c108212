import { expect, test } from 'vitest'

import { whyUnfit } from './node-version.ts'

test.each([
  [{ node: '22.19.0' }, undefined],
  [{ node: '24.1.0' }, undefined],
  [{ node: '24.1.0', deno: '2.5.0' }, undefined],
  [{ node: '22.18.9' }, /this is Node 22\.18\.9\. Install a newer one/],
  [{ node: '24.3.0', bun: '1.4.5' }, /Bun replaces undici.*Use node/],
])('On %o we run, or say at import why we do not', (versions, why) => {
  const said = whyUnfit(versions)
  if (why === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(why)
})

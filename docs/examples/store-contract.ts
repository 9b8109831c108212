import { test } from 'node:test'

import { memoryStore } from '@harvestman/core'
import { storeContract } from '@harvestman/testing'

for (const { name, run } of storeContract) void test(name, () => run(({ clock }) => memoryStore({ clock })))

import { test } from 'node:test'

import { storeContract } from '@harvestman/testing'

import { mapStore } from './plugin-store.ts'

for (const { name, run } of storeContract) void test(name, () => run(({ clock }) => mapStore({ clock })))

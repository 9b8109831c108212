import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

// unit: one room at a time, no network. contracts: each adapter against its port, with the real technology.
// house: what needs the whole house, against real servers on loopback.
const project = (name: string, include: string[]) => ({
  test: {
    name,
    include,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
  },
})

export default defineConfig({
  test: {
    // More than there are cores: most tests wait for something most of the time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    reporters: ['default', './scripts/count-reporter.ts'],
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts', 'scripts/*.test.ts']),
      project('contracts', ['packages/*/test/**/*.test.ts']),
      project('house', ['test/{api,e2e,pack,docs}/**/*.test.ts']),
    ],
  },
})

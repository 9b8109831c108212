import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

import LongestFirst from './scripts/longest-first.ts'
import { tagsOfPrograms } from './scripts/programs.ts'

// unit: one room at a time, no network. contracts: each adapter against its port, with the real technology.
// house: what needs the whole house, against real servers on loopback.
// long: of both, what takes minutes by its nature; `npm test` leaves it out, and `npm run test:long` is it.
const long = '**/*.long.test.ts'
const project = (name: string, include: string[], { isolate = false, exclude = [long] } = {}) => ({
  test: {
    name,
    include,
    // Without it files share a process and what it has imported: each closes what it opens, and puts back what it changes.
    isolate,
    exclude: ['**/node_modules/**', ...exclude],
    // What hangs is ended; what is slow on a busy machine is not wrong.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
  },
})

export default defineConfig({
  test: {
    // More than there are cores: most tests wait for something most of the time. With five on two cores some browsers and servers
    // answered too late.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    // What a test needs of this machine; it is left out where that is missing.
    tags: tagsOfPrograms(),
    reporters: ['default', './scripts/count-reporter.ts'],
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts', 'scripts/*.test.ts']),
      project('contracts', ['packages/*/test/**/*.test.ts'], { isolate: true }),
      project('house', ['test/{api,e2e,pack,docs}/**/*.test.ts']),
      project('long', ['packages/*/test/**/*.long.test.ts', 'test/{api,e2e,pack,docs}/**/*.long.test.ts'], {
        isolate: true,
        exclude: [],
      }),
    ],
  },
})

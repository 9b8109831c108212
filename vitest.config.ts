import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

import { longTag } from './scripts/long-tests.ts'
import LongestFirst from './scripts/longest-first.ts'
import { tagsOfPrograms } from './scripts/programs.ts'

// unit: one room at a time, no network. contracts: each adapter against its port, with the real technology.
// house: what needs the whole house, against real servers on loopback.
// long: files of both that are long as a whole. Files of the others have single tests that are, by their tag.
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
    // What a test needs of this machine: it is left out where that is missing. And which tests are long.
    tags: [...tagsOfPrograms(), longTag],
    reporters: ['default', './scripts/count-reporter.ts'],
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts', 'scripts/*.test.ts']),
      project('contracts', ['packages/*/test/**/*.test.ts']),
      project('house', ['test/{api,e2e,pack,docs}/**/*.test.ts']),
      project('long', ['packages/*/test/**/*.long.test.ts', 'test/{api,e2e,pack,docs}/**/*.long.test.ts'], {
        isolate: true,
        exclude: [],
      }),
    ],
  },
})

import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

import { openRunFolder, type RunFolder } from './leftovers.ts'
import { isFilteredOut } from './long-tests.ts'

/**
 * Closes a run with one line that people and machines read alike. A test that did not run is a failure, unless it says
 * why: then the reason is printed. A process or a file that the run left behind is a failure, too.
 */
export default class CountReporter implements Reporter {
  private folder: RunFolder | undefined
  private filter: readonly string[] | undefined

  onInit({ config }: Vitest): void {
    this.filter = config.tagsFilter
    const folder = openRunFolder()
    this.folder = folder
    process.once('exit', () => folder.remove())
  }

  async onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): Promise<void> {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 }
    let leftOut = false
    for (const module of modules) {
      let ran = 0
      for (const test of module.children.allTests()) {
        ran += 1
        if (isFilteredOut(test, this.filter)) continue
        const result = test.result()
        if (result.state === 'passed') counts.passed += 1
        else if (result.state === 'skipped' && whyNot(test) !== undefined) {
          counts.skipped += 1
          console.error(`left out: ${test.fullName}: ${whyNot(test)}`)
        } else {
          counts.failed += 1
          if (result.state !== 'failed') console.error(`did not run: ${test.fullName}`)
        }
      }
      leftOut ||= module.state() === 'skipped'
      // What goes wrong before the tests of a file, or after them, is not a test of it.
      const beside = module.errors().length
      counts.failed += ran === 0 ? Math.max(beside, 1) : beside
    }
    for (const left of (await this.folder?.leftovers(undefined, leftOut)) ?? []) {
      counts.failed += 1
      console.error(`left behind: ${left}`)
    }
    if (counts.failed > 0) process.exitCode = 1
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
  }
}

/** The reason that the test gave itself, or the one of a tag that it has. */
function whyNot(test: TestCase): string | undefined {
  const result = test.result()
  return result.state === 'skipped' ? (result.note ?? test.meta().leftOut) : undefined
}

import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one line that people and machines read alike. A skip counts as a failure: nothing hides. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0
    let failed = unhandled.length
    for (const module of modules) {
      let ran = 0
      for (const test of module.children.allTests()) {
        ran += 1
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else failed += 1
        if (state === 'skipped' || state === 'pending') console.error(`did not run: ${test.fullName}`)
      }
      if (ran === 0) failed += 1
    }
    if (failed > 0) process.exitCode = 1
    console.log(`${passed} passed, ${failed} failed`)
  }
}

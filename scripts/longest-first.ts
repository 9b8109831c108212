import { relative } from 'node:path'

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest, so that no worker is left with one of them at the end. What the packed packages are needed for comes
 * behind what packs them, or it would wait for them in a place that others could have.
 */
const first = [
  'test/pack/pack.test.ts',
  'test/pack/dockerfile.long.test.ts',
  'test/e2e/many/simulation.long.test.ts',
  'test/e2e/many/many-redis.long.test.ts',
  'test/e2e/many/many-postgres.long.test.ts',
  'packages/postgres/test/boss-queue.test.ts',
  'test/e2e/live-tasks/live-tasks.test.ts',
  'test/e2e/many/outage.long.test.ts',
  'test/api/large-answers.long.test.ts',
  'test/docs/site.long.test.ts',
  'test/pack/other-tools.long.test.ts',
  'test/pack/create.long.test.ts',
  'packages/sandbox/test/forging.long.test.ts',
  'test/e2e/many/exact.long.test.ts',
  'test/e2e/live-tasks/injections.long.test.ts',
  'packages/puppeteer/test/hungry.long.test.ts',
  'test/e2e/many/polite.test.ts',
  'test/api/live-browsers.test.ts',
  'packages/puppeteer/test/life.test.ts',
  'test/e2e/cli.test.ts',
  'packages/puppeteer/test/egress.browser.test.ts',
  'test/pack/first-hour.long.test.ts',
  'test/e2e/cli-interact.test.ts',
  'packages/puppeteer/test/actions.test.ts',
  'test/e2e/cli-jobs.test.ts',
  'test/docs/recipes.test.ts',
  'packages/llm/test/features.test.ts',
  'test/e2e/cli-people.test.ts',
  'packages/pdf/test/pdf.test.ts',
  'test/e2e/cli-answers.test.ts',
  'packages/sandbox/test/limits.test.ts',
  'packages/web/test/views.test.ts',
  'packages/web/test/web-page.test.ts',
  'test/e2e/webhooks.test.ts',
  'packages/puppeteer/test/pages.test.ts',
  'packages/redis/test/redis-store.test.ts',
  'packages/postgres/test/postgres-store.test.ts',
  'test/e2e/many/copy.test.ts',
  'packages/documents/src/hostile.test.ts',
  'packages/recrawl/src/recrawl.test.ts',
  'packages/core/src/engine/document-bound.test.ts',
  'packages/http/src/api/counted-once.test.ts',
  'packages/html/src/memory.test.ts',
  'packages/tools/src/strangers.test.ts',
  'packages/hosting/src/limits.test.ts',
]

/**
 * The order in which files are begun: project by project, as a process that goes on with a file of the same project has what it
 * imports already; first the project with the longest file, and in each the longest first.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ moduleId }: TestSpecification): number => {
      const index = first.indexOf(relative(this.ctx.config.root, moduleId))
      return index >= 0 ? index : first.length
    }
    const ofProject = new Map<string, number>()
    for (const file of sorted) {
      const { name } = file.project
      ofProject.set(name, Math.min(place(file), ofProject.get(name) ?? Infinity))
    }
    const begins = ({ project }: TestSpecification): number => ofProject.get(project.name) ?? 0
    // Stable: what is not in the list stays together by project.
    return sorted.sort(
      (one, other) =>
        begins(one) - begins(other) || one.project.name.localeCompare(other.project.name) || place(one) - place(other),
    )
  }
}

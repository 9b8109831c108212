// Format, lint, rooms and types: what can be said of the sources without running them. All are run, then the worst counts.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string): string => `${root}node_modules/.bin/${name}`

const checks: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  format: [bin('oxfmt'), '--check', '.'],
  lint: [bin('oxlint'), '--type-aware', '--quiet'],
  rooms: [process.execPath, 'scripts/check-rooms.ts'],
  types: [bin('tsc')],
  // A type that a package cannot name breaks its declarations alone.
  declarations: [bin('tsc'), '-p', 'scripts/tsconfig.build.json', '--noEmit'],
  'types of the web page': [bin('tsc'), '-p', 'packages/web/page'],
  'types of the code for pages': [bin('tsc'), '-p', 'scripts/tsconfig.pages.json'],
}

for (const [name, [command, ...args]] of Object.entries(checks)) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  console.log(`${name}: ${status === 0 ? 'good' : 'failed'}`)
  if (status !== 0) process.exitCode = 1
}

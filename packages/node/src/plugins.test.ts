import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, expect, test } from 'vitest'

import { readConfig } from './config.ts'
import { loadPlugins } from './plugins.ts'

const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
afterAll(() => rmSync(folder, { recursive: true }))

const core = pathToFileURL(new URL('../../core/src/plugin.ts', import.meta.url).pathname).href
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const plugin = (name: string): string =>
  `import { definePlugin } from '${core}'\nexport const own = definePlugin({ name: '${name}', gates: [] })\nexport const other = 1\n`

test(
  'the plugins of modules that a config file names are loaded, by path and as packages beside the file',
  { tags: ['long'] },
  async () => {
    write('mine.mjs', plugin('mine'))
    mkdirSync(join(folder, 'node_modules/theirs'), { recursive: true })
    write('node_modules/theirs/package.json', '{"name":"theirs","type":"module","exports":"./index.js"}')
    write('node_modules/theirs/index.js', plugin('theirs'))
    const file = { name: join(folder, 'harvestman.jsonc'), text: '{"plugins": ["./mine.mjs", "theirs"]}' }
    const plugins = await loadPlugins(readConfig({ file }).config.plugins)
    expect(plugins.map(({ name }) => name)).toEqual(['mine', 'theirs'])
  },
)

test('a module that is not there, breaks or exports no plugin is said in a sentence', async () => {
  await expect(loadPlugins([join(folder, 'gone.mjs')])).rejects.toThrow(/gone\.mjs does not exist\. Install it/)
  await expect(loadPlugins(['no-such-package'])).rejects.toThrow(/^plugins: no-such-package does not exist/)
  const none = write('none.mjs', 'export const a = { name: "a" }')
  await expect(loadPlugins([none])).rejects.toThrow(/none\.mjs exports no plugin\. Export the result of definePlugin/)
  const broken = write('broken.mjs', 'throw new Error("It broke.")')
  await expect(loadPlugins([broken])).rejects.toThrow(/broken\.mjs could not be loaded: Error: It broke\./)
})

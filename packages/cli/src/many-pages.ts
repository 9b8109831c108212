// Commands about many pages, and their flags.

import type { Plugin } from '@harvestman/core/plugin'

import type { Command } from './command-line.ts'
import { examples } from './examples.ts'
import { addPageOptions, formatFlags, more } from './page-options.ts'
import { previewOption } from './preview.ts'
import { serverOptions } from './server-options.ts'
import { exitCodes, type Shell } from './shell.ts'
import { explained } from './words.ts'

export type Guarded = (work: () => Promise<number>) => Promise<void>

export const allowPrivate = [
  '--allow-private <ranges>',
  'private addresses that may be visited: CIDR or CIDR:port, separated by commas',
] as const
export const config = ['--config <file>', 'a JSON file with the settings'] as const
export const setOption = [
  '--set <setting=value>',
  'set a setting by its name, such as limits.concurrency=64; repeatable',
  more,
] as const
export const store = ['--store <address>', 'memory: or sqlite:<file>; default: the store of the server'] as const
const concurrency = ['-c, --concurrency <n>', 'pages to load in parallel'] as const

/** Adds to a command the flags that choose where it works: a local store or a server. Returns the command. */
export function addPlace(command: Command): Command {
  return command
    .option(...store)
    .option(...serverOptions[0])
    .option(...serverOptions[1])
}

/** Adds the commands for many pages to the CLI. */
export function addManyPages(program: Command, shell: Shell, guarded: Guarded, plugins: readonly Plugin[]): void {
  addCrawl(program, shell, guarded, plugins)
  addBatch(program, shell, guarded, plugins)
  addMap(program, shell, guarded)
  addSearch(program, shell, guarded, plugins)
  addPlace(
    program
      .command('file-formats')
      .description('Lists the file formats that scrape and parse read.')
      .option('-j, --json', 'one JSON object per line'),
  )
    .option(...config)
    .addHelpText('before', examples.fileFormats)
    .action((options) => guarded(async () => (await import('./file-formats.ts')).fileFormats(options, shell)))
  const listing = program
    .command('jobs')
    .description('Lists the stored jobs with their status, newest first: crawls, batches, extracts and answers.')
    .option('--running', 'only unfinished jobs')
    .option('--kind <kind>', 'only this kind')
    .option('-l, --limit <n>', 'the maximum number; default: 50')
    .option('-j, --json', 'one JSON object per line')
    .addHelpText('before', examples.jobs)
    .action((options) => guarded(async () => (await import('./jobs.ts')).jobs(options, shell)))
  const cancelling = program
    .command('cancel')
    .argument('<id>', 'the crawl or batch')
    .description('Cancels a crawl or a batch. Its pages stay.')
    .action((id, options) => guarded(async () => (await import('./jobs.ts')).cancel(id, options, shell)))
  const explaining = program
    .command('explain')
    .argument('<id>', 'the crawl')
    .argument('[url]', 'only this URL, in any of its spellings')
    .description('Shows which URLs a crawl visited or skipped, and why.')
    .option('-j, --json', 'one JSON object per line')
    .action((id, url, options) => guarded(async () => (await import('./jobs.ts')).explain(id, url, options, shell)))
  for (const command of [listing, cancelling, explaining]) addPlace(command).option(...config)
}

function addCrawl(program: Command, shell: Shell, guarded: Guarded, plugins: readonly Plugin[]): void {
  const command = program
    .command('crawl')
    .argument('[url]', 'the start URL')
    .description('Crawls a site and prints its pages as they finish.')
    .addOption(explained('-l, --limit <n>', 'crawl', 'limit'))
    .option('--include-paths <pattern>', 'only pages whose path matches this regular expression; repeatable', more)
    .option('--exclude-paths <pattern>', 'no pages whose path matches this one; repeatable', more)
    .addOption(explained('--depth <n>', 'crawl', 'maxDiscoveryDepth'))
    .addOption(explained('--sitemap <mode>', 'crawl', 'sitemap'))
    .addOption(explained('--entire-domain', 'crawl', 'crawlEntireDomain'))
    .addOption(explained('--subdomains', 'crawl', 'allowSubdomains'))
    .addOption(explained('--external', 'crawl', 'allowExternalLinks'))
    .addOption(explained('--ignore-robots', 'crawl', 'ignoreRobotsTxt'))
    .option(...concurrency)
    .addOption(explained('--delay <seconds>', 'crawl', 'delay'))
  addJobOptions(addPageOptions(command, 'crawl', plugins))
    .addHelpText('before', examples.crawl)
    .action((url, options) => guarded(async () => (await import('./crawl.ts')).crawl(url, options, shell)))
}

function addBatch(program: Command, shell: Shell, guarded: Guarded, plugins: readonly Plugin[]): void {
  const command = program
    .command('batch')
    .argument('[urls...]', 'URLs, files with one URL per line, or - for standard input')
    .description('Scrapes many pages and prints them as they finish.')
    .option(...concurrency)
    .option('--ignore-invalid', 'skip invalid URLs')
  addJobOptions(addPageOptions(command, 'batch', plugins))
    .addHelpText('before', examples.batch)
    .action((urls, options) => guarded(async () => (await import('./batch.ts')).batch(urls, options, shell)))
}

function addMap(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('map')
    .argument('<url>', 'the site')
    .description('Lists the URLs of a site, one per line.')
    .addOption(explained('-s, --search <words>', 'map', 'search'))
    .addOption(explained('-l, --limit <n>', 'map', 'limit'))
    .addOption(explained('--sitemap <mode>', 'map', 'sitemap'))
    .option('--no-subdomains', 'without subdomains')
    .option('--keep-query', 'keep query strings')
    .addOption(explained('--fresh', 'map', 'ignoreCache'))
    .option('--timeout <ms>', 'the timeout in milliseconds')
    .option('-j, --json', 'one JSON object per line, with title and description')
    .option(...previewOption)
    .option('--options <json>', 'any other options, as JSON')
    .option(...store)
    .option(...serverOptions[0])
    .option(...serverOptions[1])
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.map)
    .action((url, options) => guarded(async () => (await import('./map.ts')).map(url, options, shell)))
}

function addSearch(program: Command, shell: Shell, guarded: Guarded, plugins: readonly Plugin[]): void {
  const command = program
    .command('search')
    .argument('<query>', 'the keywords')
    .description('Searches the web with SEARXNG_ENDPOINT, otherwise the scraped pages.')
    .addOption(explained('-l, --limit <n>', 'search', 'limit'))
    .option('--source <name>', 'web, news or images; repeatable', more)
    .addOption(explained('--tbs <time>', 'search', 'tbs'))
    .addOption(explained('--country <code>', 'search', 'country'))
    .addOption(explained('--lang <code>', 'search', 'lang'))
    .option('--include-domain <domain>', 'only this domain and its subdomains; repeatable', more)
    .option('--exclude-domain <domain>', 'exclude this domain; repeatable', more)
  for (const option of formatFlags(plugins)) command.addOption(option)
  command
    .option('--timeout <ms>', 'the timeout in milliseconds')
    .option('-j, --json', 'one JSON object per line')
    .option(...previewOption)
    .option('--options <json>', 'any other options, as JSON')
    .option(...store)
    .option(...serverOptions[0])
    .option(...serverOptions[1])
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.search)
    .action((query, options) => guarded(async () => (await import('./search.ts')).search(query, options, shell)))
}

function addJobOptions(command: Command): Command {
  return command
    .option('-j, --json', 'print each document, one JSON object per line')
    .option('-o, --output <file>', 'write the documents to a file, one JSON object per line')
    .option('--out <folder>', 'write each page to its own file')
    .option(...previewOption)
    .option('--resume <id>', 'resume a stopped job, and print all its pages')
    .option('--report <file>', 'write an HTML report of the job, with plots')
    .option('--fail', `exit with ${exitCodes.badStatus} when a page failed`)
    .option(...store)
    .option(...serverOptions[0])
    .option(...serverOptions[1])
    .option(...allowPrivate)
    .option(...config)
}

// The commands about many pages, and what can be said to each.

import type { Command } from './command-line.ts'
import { examples } from './examples.ts'
import { addPageOptions, more } from './page-options.ts'
import { previewOption } from './preview.ts'
import { exitCodes, type Shell } from './shell.ts'
import { explained } from './words.ts'

export type Guarded = (work: () => Promise<number>) => Promise<void>

export const allowPrivate = [
  '--allow-private <ranges>',
  'private addresses that may be visited: CIDR or CIDR:port, with commas',
] as const
export const config = ['--config <file>', 'a JSON file with the settings'] as const
export const setOption = [
  '--set <setting=value>',
  'any setting by its name, as limits.concurrency=64; may be given again',
  more,
] as const
export const store = ['--store <address>', 'memory: or sqlite:<file>; that of the server when absent'] as const
const concurrency = ['-c, --concurrency <n>', 'pages at once'] as const

/** Adds the commands to the program. */
export function addManyPages(program: Command, shell: Shell, guarded: Guarded): void {
  addCrawl(program, shell, guarded)
  addBatch(program, shell, guarded)
  addMap(program, shell, guarded)
  addSearch(program, shell, guarded)
  const listing = program
    .command('jobs')
    .description(
      'Lists the jobs that are kept, newest first: crawls, batches, extracts and answers, and how each stands.',
    )
    .option('--running', 'only those that are not over')
    .option('--kind <kind>', 'only this kind')
    .option('-l, --limit <n>', 'so many at most; 50 when absent')
    .option('-j, --json', 'one JSON object a line')
    .addHelpText('before', examples.jobs)
    .action((options) => guarded(async () => (await import('./jobs.ts')).jobs(options, shell)))
  const cancelling = program
    .command('cancel')
    .argument('<id>', 'the crawl or batch')
    .description('Ends a crawl or a batch. Its pages stay.')
    .action((id, options) => guarded(async () => (await import('./jobs.ts')).cancel(id, options, shell)))
  const explaining = program
    .command('explain')
    .argument('<id>', 'the crawl')
    .argument('[url]', 'only this address, in any of its spellings')
    .description('Tells which addresses a crawl visited or left out, and why.')
    .option('-j, --json', 'one JSON object a line')
    .action((id, url, options) => guarded(async () => (await import('./jobs.ts')).explain(id, url, options, shell)))
  for (const command of [listing, cancelling, explaining]) command.option(...store).option(...config)
}

function addCrawl(program: Command, shell: Shell, guarded: Guarded): void {
  const command = program
    .command('crawl')
    .argument('[url]', 'where to begin')
    .description('Visits a site and gives its pages as they come.')
    .addOption(explained('-l, --limit <n>', 'crawl', 'limit'))
    .option('--include-paths <pattern>', 'only pages whose path fits this regular expression; may be given again', more)
    .option('--exclude-paths <pattern>', 'no pages whose path fits this one; may be given again', more)
    .addOption(explained('--depth <n>', 'crawl', 'maxDiscoveryDepth'))
    .addOption(explained('--sitemap <mode>', 'crawl', 'sitemap'))
    .addOption(explained('--entire-domain', 'crawl', 'crawlEntireDomain'))
    .addOption(explained('--subdomains', 'crawl', 'allowSubdomains'))
    .addOption(explained('--external', 'crawl', 'allowExternalLinks'))
    .addOption(explained('--ignore-robots', 'crawl', 'ignoreRobotsTxt'))
    .option(...concurrency)
    .addOption(explained('--delay <seconds>', 'crawl', 'delay'))
  addJobOptions(addPageOptions(command, 'crawl'))
    .addHelpText('before', examples.crawl)
    .action((url, options) => guarded(async () => (await import('./crawl.ts')).crawl(url, options, shell)))
}

function addBatch(program: Command, shell: Shell, guarded: Guarded): void {
  const command = program
    .command('batch')
    .argument('[urls...]', 'addresses, files with one a line, or - for what is piped in')
    .description('Loads many pages and gives them as they come.')
    .option(...concurrency)
    .option('--ignore-invalid', 'leave out what is no address')
  addJobOptions(addPageOptions(command, 'batch'))
    .addHelpText('before', examples.batch)
    .action((urls, options) => guarded(async () => (await import('./batch.ts')).batch(urls, options, shell)))
}

function addMap(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('map')
    .argument('<url>', 'the site')
    .description('Lists the addresses of a site, one a line.')
    .addOption(explained('-s, --search <words>', 'map', 'search'))
    .addOption(explained('-l, --limit <n>', 'map', 'limit'))
    .addOption(explained('--sitemap <mode>', 'map', 'sitemap'))
    .option('--no-subdomains', 'without those of subdomains')
    .option('--keep-query', 'leave the part after the ? in place')
    .addOption(explained('--fresh', 'map', 'ignoreCache'))
    .option('--timeout <ms>', 'give up after this many milliseconds')
    .option('-j, --json', 'one JSON object a line, with title and description')
    .option(...previewOption)
    .option('--options <json>', 'any other options, as JSON')
    .option(...store)
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.map)
    .action((url, options) => guarded(async () => (await import('./map.ts')).map(url, options, shell)))
}

function addSearch(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('search')
    .argument('<query>', 'the words')
    .description('Finds pages by words: on the web with SEARXNG_ENDPOINT, else among those that were scraped.')
    .addOption(explained('-l, --limit <n>', 'search', 'limit'))
    .option('--source <name>', 'web, news or images; may be given again', more)
    .addOption(explained('--tbs <time>', 'search', 'tbs'))
    .addOption(explained('--country <code>', 'search', 'country'))
    .addOption(explained('--lang <code>', 'search', 'lang'))
    .option('--include-domain <domain>', 'only this domain and what is below it; may be given again', more)
    .option('--exclude-domain <domain>', 'without this one; may be given again', more)
    .option('-f, --format <format>', 'scrape each page in this format; may be given again', more)
    .option('--timeout <ms>', 'give up after this many milliseconds')
    .option('-j, --json', 'one JSON object a line')
    .option(...previewOption)
    .option('--options <json>', 'any other options, as JSON')
    .option(...store)
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.search)
    .action((query, options) => guarded(async () => (await import('./search.ts')).search(query, options, shell)))
}

function addJobOptions(command: Command): Command {
  return command
    .option('-j, --json', 'print each document, one JSON object a line')
    .option('-o, --output <file>', 'write the documents to a file, one JSON object a line')
    .option('--out <folder>', 'write each page to a file of its own')
    .option(...previewOption)
    .option('--resume <id>', 'go on with one that was stopped; gives all its pages')
    .option('--report <file>', 'write an HTML page that tells of the job, with plots')
    .option('--fail', `exit with ${exitCodes.badStatus} when a page failed`)
    .option(...store)
    .option(...allowPrivate)
    .option(...config)
}

// Examples at the top of the help of a command, because people copy before they read.

/** Formats commands for the help: one on each line, indented and after the name of the program. */
export function shown(...lines: readonly string[]): string {
  return `${lines.map((line) => `  harvestman ${line}`).join('\n')}\n`
}

export const examples = {
  scrape: shown(
    'scrape https://example.com',
    'scrape -f links https://example.com',
    'scrape -f screenshot -o page.png https://example.com',
    'scrape --schema product.json https://example.com/product',
    'scrape report.pdf',
  ),
  crawl: shown(
    'crawl https://example.com --limit 50 --out pages',
    'crawl https://example.com/docs --exclude-paths "^/docs/old" --json > docs.jsonl',
    'crawl https://example.com --report report.html',
    'crawl --resume 0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11',
  ),
  fileFormats: shown('file-formats', 'file-formats --json'),
  watch: shown(
    'watch https://example.com/prices --every 1h',
    "watch https://example.com/prices --every 1h --run 'mail -s Changed me@example.com'",
  ),
  login: shown(
    'login https://harvestman.example.com --key hm-…',
    'scrape https://example.com                # asks that server',
    'scrape --server local https://example.com # asks this machine',
  ),
  mcp: shown('mcp', 'mcp --server https://harvestman.example.com --key hm-…'),
  replay: shown(
    'scrape https://example.com --record run.warc.gz',
    'replay run.warc.gz',
    'replay run.warc.gz --patch -- crawl https://example.com --limit 10',
  ),
  completion: `  source <(harvestman completion bash)
  source <(harvestman completion zsh)
  harvestman completion fish > ~/.config/fish/completions/harvestman.fish
`,
  batch: shown('batch urls.txt --out pages', 'map https://example.com | harvestman batch --json'),
  interact: shown(
    'interact https://example.com',
    'interact https://example.com --prompt "Open the price list and tell the cheapest offer" --save prices.json',
    'interact https://example.com --script prices.json',
    'interact https://example.com --code steps.js',
  ),
  search: shown(
    'search "orb weavers" --limit 5',
    'search "price list" --include-domain example.com -f markdown --json',
  ),
  jobs: shown('jobs', 'jobs --running --kind crawl'),
  map: shown('map https://example.com', 'map https://example.com --search "price list" --limit 20'),
} as const

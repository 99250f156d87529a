/**
 * These say how an answer is transported, cached and framed, or what a browser does with it and with the panel at the same
 * address. The server sets them; a custom header would contradict it.
 */
const SERVER_HEADERS = new Set([
  'accept-ranges',
  'age',
  'alt-svc',
  'cache-control',
  'cdn-cache-control',
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'content-location',
  'content-range',
  'content-security-policy',
  'content-security-policy-report-only',
  'content-type',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'location',
  'nel',
  'origin-agent-cluster',
  'permissions-policy',
  'pragma',
  'proxy-authenticate',
  'proxy-connection',
  'referrer-policy',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'retry-after',
  'service-worker-allowed',
  'set-cookie',
  'strict-transport-security',
  'surrogate-control',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'vary',
  'via',
  'www-authenticate',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-robots-tag',
  'x-sendfile',
  'x-xss-protection',
])
/** Permissions of browsers, and orders to nginx: which file to send instead, and how long to cache an answer. */
const SERVER_PREFIXES = ['access-control-', 'x-accel-']

export function isServerHeader(name: string): boolean {
  const key = name.toLowerCase()
  return SERVER_HEADERS.has(key) || SERVER_PREFIXES.some((prefix) => key.startsWith(prefix))
}

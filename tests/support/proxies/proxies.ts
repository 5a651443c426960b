import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../start-process.ts'

/** The values that replace the ports, server and certificate of an example. */
export interface Place {
  readonly folder: string
  readonly httpPort: number
  readonly httpsPort: number
  readonly serverPorts: readonly number[]
  readonly certificate: string
  readonly key: string
}

interface Proxy {
  readonly name: string
  readonly version: readonly string[]
  /** The command that runs the example of `deploy/`, with only local values changed. */
  prepare(place: Place): readonly string[]
}

const nginx: Proxy = {
  name: 'nginx',
  version: ['nginx', '-v'],
  prepare({ folder, httpPort, httpsPort, serverPorts, certificate, key }) {
    const site = readExample('nginx.conf', [
      // Not every machine has IPv6.
      [/^ *listen \[::\].*\n/gm, ''],
      [/listen 80;/, `listen 127.0.0.1:${httpPort};`],
      [/listen 443 /, `listen 127.0.0.1:${httpsPort} `],
      [
        / *server 127\.0\.0\.1:4000(.*)\n/,
        serverPorts.map((port) => `server 127.0.0.1:${port}$1\n`).join(''),
      ],
      [/\/etc\/letsencrypt\S+fullchain\.pem/, certificate],
      [/\/etc\/letsencrypt\S+privkey\.pem/, key],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join('\n')
    const file = join(folder, 'nginx.conf')
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    writeFileSync(
      file,
      `${user}\ndaemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}}\n`,
    )
    return ['nginx', '-e', 'stderr', '-p', folder, '-c', file]
  },
}

const caddy: Proxy = {
  name: 'caddy',
  version: ['caddy', 'version'],
  prepare({ folder, httpPort, httpsPort, serverPorts, certificate, key }) {
    const site = readExample('Caddyfile', [
      [/^bugle\.example\.com \{\n/m, `127.0.0.1 {\n\ttls ${certificate} ${key}\n`],
      [/127\.0\.0\.1:4000/, serverPorts.map((port) => `127.0.0.1:${port}`).join(' ')],
    ])
    const file = join(folder, 'Caddyfile')
    writeFileSync(
      file,
      `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tdefault_bind 127.0.0.1\n}\n${site}`,
    )
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file]
  },
}

export const PROXIES: readonly Proxy[] = [nginx, caddy]

/** Why a proxy cannot be tested on this machine; `undefined` if it can. */
export function whyNot({ version }: Proxy): string | undefined {
  for (const [command = '', ...args] of [version, ['openssl', 'version']])
    if (spawnSync(command, args).status !== 0) return `there is no ${command} on this machine`
  return undefined
}

function readExample(name: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce(
    (text, [pattern, replacement]) => {
      if (!text.match(pattern)) throw new Error(`deploy/${name} has no ${pattern}`)
      return text.replace(pattern, replacement)
    },
    readFileSync(join(ROOT, 'deploy', name), 'utf8'),
  )
}

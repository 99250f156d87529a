import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { imageOf, makeDebianImage } from './debian.ts'

// Images under the names that the compose files ask public registries for, made of Debian's own packages: no registry is
// reached. They understand as much of the originals' settings as the compose files use.

const DATABASE = `#!/bin/sh
set -e
export PATH="/usr/lib/postgresql/17/bin:$PATH"
folder=/var/lib/postgresql/data
as() { runuser -u postgres -- "$@"; }
if [ ! -e $folder/PG_VERSION ]; then
  chown postgres /var/lib/postgresql
  printf %s "$POSTGRES_PASSWORD" > /tmp/password; chown postgres /tmp/password
  as initdb -D $folder -U "$POSTGRES_USER" --pwfile=/tmp/password -A scram-sha-256 -E UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >> $folder/pg_hba.conf
  echo "create database $POSTGRES_DB" | as postgres --single -D $folder postgres
fi
exec runuser -u postgres -- postgres -D $folder -c listen_addresses='*'
`

const IMAGES = {
  'docker.io/library/postgres:18': {
    packages: 'postgresql-17',
    lines: [
      'COPY database /usr/local/bin/database',
      'ENV PATH=/usr/lib/postgresql/17/bin:/usr/local/bin:/usr/sbin:/usr/bin',
      'CMD ["database"]',
    ],
  },
  'docker.io/library/caddy:2': { packages: 'caddy', lines: ['ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config'] },
}

/** Makes the image once; it stays for later runs. */
export async function makeStandIn(image: keyof typeof IMAGES): Promise<void> {
  if (spawnSync('podman', ['image', 'exists', image]).status === 0) return
  await makeDebianImage(13)
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-stand-in-'))
  const { packages, lines } = IMAGES[image]
  const install = `RUN apt-get update && apt-get install -y --no-install-recommends ${packages}`
  writeFileSync(path.join(folder, 'database'), DATABASE, { mode: 0o755 })
  writeFileSync(path.join(folder, 'Containerfile'), `${[`FROM ${imageOf(13)}`, install, ...lines].join('\n')}\n`)
  execFileSync('podman', ['build', '--isolation=chroot', '--format=docker', '--network=host', '-t', image, folder], {
    stdio: 'pipe',
  })
  rmSync(folder, { recursive: true })
}

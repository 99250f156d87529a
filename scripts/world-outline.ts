// node scripts/world-outline.ts: writes the outline of the world that the map of nodes draws, from the public-domain data of Natural Earth.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { geoArea, geoCentroid, geoEqualEarth, geoPath, type GeoContext } from 'd3-geo'
import type { Feature, FeatureCollection, Geometry, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { Topology } from 'topojson-specification'

const root = path.resolve(import.meta.dirname, '..')
const target = path.join(root, 'apps/dashboard/src/features/nodes/map/world.json')

/** Of the whole globe, of which the sides are cut off: they hold a few islands and the tip of Alaska. */
const GLOBE = 2000
const [LEFT, RIGHT] = [190, 1890] as const
/** Latitudes at the upper and the lower edge: Antarctica has no nodes and would take a fifth of the height. */
const [NORTH, SOUTH] = [84, -57] as const
/** The meridian in the middle. The edge then runs through the Bering Strait, not through Siberia. */
const MIDDLE = 11

/** ISO 3166-1: the code of two letters and the number by which the data name a country. */
const NUMBERS =
  'AF004 AL008 DZ012 AS016 AD020 AO024 AI660 AQ010 AG028 AR032 AM051 AW533 AU036 AT040 AZ031 BS044 BH048 BD050 BB052 BY112 BE056 ' +
  'BZ084 BJ204 BM060 BT064 BO068 BA070 BW072 BV074 BR076 IO086 BN096 BG100 BF854 BI108 KH116 CM120 CA124 CV132 KY136 CF140 TD148 ' +
  'CL152 CN156 CX162 CC166 CO170 KM174 CG178 CD180 CK184 CR188 CI384 HR191 CU192 CY196 CZ203 DK208 DJ262 DM212 DO214 EC218 EG818 ' +
  'SV222 GQ226 ER232 EE233 ET231 FK238 FO234 FJ242 FI246 FR250 GF254 PF258 TF260 GA266 GM270 GE268 DE276 GH288 GI292 GR300 GL304 ' +
  'GD308 GP312 GU316 GT320 GN324 GW624 GY328 HT332 HM334 VA336 HN340 HK344 HU348 IS352 IN356 ID360 IR364 IQ368 IE372 IL376 IT380 ' +
  'JM388 JP392 JO400 KZ398 KE404 KI296 KP408 KR410 KW414 KG417 LA418 LV428 LB422 LS426 LR430 LY434 LI438 LT440 LU442 MO446 MG450 ' +
  'MW454 MY458 MV462 ML466 MT470 MH584 MQ474 MR478 MU480 YT175 MX484 FM583 MD498 MC492 MN496 MS500 MA504 MZ508 MM104 NA516 NR520 ' +
  'NP524 NL528 NC540 NZ554 NI558 NE562 NG566 NU570 NF574 MP580 MK807 NO578 OM512 PK586 PW585 PS275 PA591 PG598 PY600 PE604 PH608 ' +
  'PN612 PL616 PT620 PR630 QA634 RE638 RO642 RU643 RW646 SH654 KN659 LC662 PM666 VC670 WS882 SM674 ST678 SA682 SN686 SC690 SL694 ' +
  'SG702 SK703 SI705 SB090 SO706 ZA710 GS239 ES724 LK144 SD729 SR740 SJ744 SZ748 SE752 CH756 SY760 TW158 TJ762 TZ834 TH764 TL626 ' +
  'TG768 TK772 TO776 TT780 TN788 TR792 TM795 TC796 TV798 UG800 UA804 AE784 GB826 US840 UM581 UY858 UZ860 VU548 VE862 VN704 VG092 ' +
  'VI850 WF876 EH732 YE887 ZM894 ZW716 AX248 BQ535 CW531 GG831 IM833 JE832 ME499 BL652 MF663 RS688 SX534 SS728'
const codeOfNumber = new Map(NUMBERS.split(' ').map((entry) => [entry.slice(2), entry.slice(0, 2)]))

/** Longitude and latitude of what the data have as a part of another country, or not at all. */
const FURTHER: Readonly<Record<string, readonly [number, number]>> = {
  BQ: [-68.25, 12.18],
  BV: [3.35, -54.42],
  CC: [96.85, -12.17],
  CX: [105.63, -10.45],
  GF: [-53.1, 3.9],
  GI: [-5.35, 36.14],
  GP: [-61.55, 16.25],
  MQ: [-61, 14.65],
  RE: [55.53, -21.12],
  SJ: [16, 78.5],
  TK: [-171.8, -9.2],
  TV: [179.2, -8.5],
  UM: [166.6, 19.3],
  YT: [45.17, -12.83],
}

const projection = geoEqualEarth().rotate([-MIDDLE, 0]).fitWidth(GLOBE, { type: 'Sphere' })
const top = Math.round(project([MIDDLE, NORTH])[1])
const height = Math.round(project([MIDDLE, SOUTH])[1]) - top

/** What the file should hold: by country the point where its nodes stand, and its outline where it is large enough to have one. */
export function worldOutline(): string {
  const coarse = countriesAt('110m')
  const fine = countriesAt('50m')
  const outlines = new Map(coarse.map((country) => [codeOf(country), outlineOf(country)]))
  const points = new Map(Object.entries(FURTHER).map(([code, place]) => [code, pointAt(place)]))
  for (const country of fine) points.set(codeOf(country), pointAt(geoCentroid(largestPart(country.geometry))))
  // Lines within a country that not all others see as one.
  const other = coarse.filter((country) => codeOf(country) === '').map(outlineOf)
  points.delete('')
  const countries = [...points]
    .toSorted(([one], [next]) => (one < next ? -1 : 1))
    .map(([code, point]) => [code, `${point}${code === 'AQ' ? '' : (outlines.get(code) ?? '')}`])
  return `${JSON.stringify({ width: RIGHT - LEFT, height, other: other.join(''), countries: Object.fromEntries(countries) }, null, 2)}\n`
}

export function writtenWorldOutline(): string {
  return readFileSync(target, 'utf8')
}

function countriesAt(scale: '110m' | '50m'): Feature<Geometry, { name: string }>[] {
  const file = createRequire(import.meta.url).resolve(`world-atlas/countries-${scale}.json`)
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology // the package's own format
  const { countries } = topology.objects
  if (countries?.type !== 'GeometryCollection') throw new Error(`${file} has no collection of countries`)
  return (feature(topology, countries) as FeatureCollection<Geometry, { name: string }>).features // every country has a name
}

/** The empty text for areas without a code. */
function codeOf({ id, properties }: Feature<Geometry, { name: string }>): string {
  return properties.name === 'Kosovo' ? 'XK' : (codeOfNumber.get(String(id)) ?? '')
}

/** The mainland: the middle of all parts of a country often lies in the sea. */
function largestPart(geometry: Geometry): Polygon {
  const parts = polygonsOf(geometry).coordinates.map((coordinates) => ({ type: 'Polygon' as const, coordinates }))
  const [largest] = parts.toSorted((one, next) => geoArea(next) - geoArea(one))
  if (!largest) throw new Error('A country has no area')
  return largest
}

function polygonsOf(geometry: Geometry): MultiPolygon {
  if (geometry.type === 'MultiPolygon') return geometry
  if (geometry.type === 'Polygon') return { type: 'MultiPolygon', coordinates: [geometry.coordinates] }
  throw new Error(`A country is no area but a ${geometry.type}`)
}

function project(place: readonly [number, number]): [number, number] {
  const point = projection([place[0], place[1]])
  if (!point) throw new Error(`There is no ${place.join()} on the map`)
  return point
}

function pointAt(place: readonly [number, number]): string {
  const [x, y] = toSheet(...project(place))
  // Islands beyond the edge stand at it.
  return `${within(x, RIGHT - LEFT)} ${within(y, height)}`
}

function toSheet(x: number, y: number): [number, number] {
  return [Math.round(x) - LEFT, Math.round(y) - top]
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}

/** Whole numbers and steps from point to point: half the size of a path with fractions. */
function outlineOf(country: Feature): string {
  const rings: [number, number][][] = []
  const draw: GeoContext = {
    beginPath() {},
    closePath() {},
    arc() {},
    moveTo: (x, y) => void rings.push([toSheet(x, y)]),
    lineTo: (x, y) => void rings.at(-1)?.push(toSheet(x, y)),
  }
  geoPath(projection, draw)(country)
  return rings.map(ringPath).join('')
}

function ringPath(ring: readonly [number, number][]): string {
  const corners = ring.filter(([x, y], place) => x !== ring[place - 1]?.[0] || y !== ring[place - 1]?.[1])
  const [first, ...further] = corners
  if (!first || further.length < 2) return ''
  let [fromX, fromY] = first
  const steps = further.map(([x, y]) => {
    const step = `${x - fromX} ${y - fromY}`
    fromX = x
    fromY = y
    return step
  })
  return `M${first.join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`
}

if (import.meta.main) writeFileSync(target, worldOutline())

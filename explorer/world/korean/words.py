"""The small world's words in Korean. Spaces inside a Korean word are written as an underscore."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from explorer.world.korean.hangul import Predicate, predicate


def _pairs(table: str) -> dict[str, str]:
    cells = table.split()
    words = zip(cells[::2], cells[1::2], strict=True)
    return {english: korean.replace("_", " ") for english, korean in words}


NOUNS: Final[Mapping[str, str]] = _pairs("""
chef 요리사 baker 제빵사 farmer 농부 gardener 정원사 builder 건설자 teacher 선생님 doctor 의사
nurse 간호사 dentist 치과의사 driver 운전사 pilot 조종사 sailor 선원 painter 화가
photographer 사진사 musician 음악가 singer 가수 writer 작가 journalist 기자 scientist 과학자
astronomer 천문학자 engineer 기술자 programmer 프로그래머 firefighter 소방관 officer 경찰관
tailor 재단사 carpenter 목수 plumber 배관공 mechanic 정비사 fisherman 어부 barber 이발사
waiter 웨이터 librarian 사서 student 학생 judge 판사 artist 예술가 shepherd 양치기
cleaner 청소부 potter 도예가 lumberjack 나무꾼 banker 은행원 actor 배우 coach 코치
watchmaker 시계공
meal 식사 soup 수프 dinner 저녁 fish 생선 rice 밥 lunch 점심 sauce 소스 bread 빵 cake 케이크
pie 파이 cookie 쿠키 corn 옥수수 wheat 밀 potato 감자 tomato 토마토 cow 소 horse 말 sheep 양
chicken 닭 flower 꽃 tree 나무 rose 장미 seed 씨앗 plant 식물 house 집 wall 벽 school 학교
bridge 다리 tower 탑 roof 지붕 road 도로 lesson 수업 class 반 story 이야기 book 책 patient 환자
child 아이 tooth 치아 bus 버스 truck 트럭 taxi 택시 plane 비행기 helicopter 헬리콥터 boat 보트
ship 배 picture 그림 portrait 초상화 photo 사진 song 노래 piano 피아노 guitar 기타 violin 바이올린
letter 편지 poem 시 report 보고서 cell 세포 animal 동물 star 별 planet 행성 moon 달 network 신경망
model 모델 robot 로봇 program 프로그램 game 게임 fire 불 thief 도둑 dress 드레스 coat 외투
shirt 셔츠 table 탁자 chair 의자 door 문 shelf 선반 pipe 파이프 sink 싱크대 car 자동차 engine 엔진
hair 머리카락 coffee 커피 tea 차 floor 바닥 magazine 잡지 problem 문제 puzzle 퍼즐 case 사건
witness 증인 map 지도 street 거리 pot 냄비 cup 컵 bowl 그릇 money 돈 coin 동전 hero 영웅 king 왕
team 팀 player 선수 watch 손목시계 clock 시계
kitchen 부엌 restaurant 식당 hotel 호텔 bakery 빵집 field 밭 farm 농장 barn 헛간 garden 정원
park 공원 city 도시 village 마을 town 읍내 classroom 교실 hospital 병원 clinic 진료소
office 사무실 airport 공항 sky 하늘 sea 바다 lake 호수 studio 작업실 museum 박물관 theater 극장
concert 음악회 stage 무대 library 도서관 cafe 카페 newspaper 신문사 laboratory 실험실
university 대학교 observatory 천문대 forest 숲 building 건물 bank 은행 shop 가게 workshop 공방
bathroom 욕실 garage 차고 river 강 salon 미용실 court 법원 hill 언덕 stadium 경기장 gym 체육관
pan 프라이팬 knife 칼 spoon 숟가락 oven 오븐 tray 쟁반 tractor 트랙터 plow 쟁기 bucket 양동이
fork 포크 trowel 모종삽 spade 삽 hose 호스 excavator 굴착기 crane 기중기 hammer 망치 ladder 사다리
blackboard 칠판 lamp 램프 glasses 안경 medicine 약 needle 바늘 bandage 붕대 drill 드릴 brush 붓
radio 라디오 rope 밧줄 camera 카메라 microphone 마이크 amplifier 앰프 pen 펜 computer 컴퓨터
microscope 현미경 telescope 망원경 data 데이터 keyboard 키보드 machine 기계 saw 톱 wrench 렌치
pliers 펜치 screwdriver 드라이버 net 그물 scissors 가위 cloth 천 calculator 계산기 pencil 연필
chalk 분필 stick 막대기 whistle 호루라기 broom 빗자루 wheel 물레 clay 점토 axe 도끼 mask 가면
costume 의상 ball 공 magnifier 돋보기 movie 영화 film 작품 play 연극 show 공연
""")

# An activity by its verb, or by its job and verb where one verb has two meanings.
VERBS: Final[Mapping[str, Predicate]] = {
    name: predicate(korean)
    for name, korean in _pairs("""
cook 요리하 prepare 준비하 bake 굽* grow 재배하 feed 먹이 plant 심 water 물을_주 build 건설하
repair 수리하 teach 가르치 read 읽 treat 치료하 help 돕* clean 닦 drive 운전하 fly 조종하 sail 몰
paint 칠하 take 찍 play 연주하 actor:play 연기하 sing 부르:불렀 write 쓰 study 연구하 watch 관찰하
shepherd:watch 지키 train 훈련시키 fight 싸우 catch 잡 sew 꿰매 make 만들 fix 고치 cut 자르:잘랐
serve 대접하 sort 정리하 solve 풀 hear 듣:들었:들을 draw 그리 sweep 쓸 count 세
use 사용하 eat 먹 drink 마시 like 좋아하 go 가 take_time 걸리
""").items()
}

ADJECTIVES: Final[Mapping[str, Predicate]] = {
    name: predicate(korean)
    for name, korean in _pairs("""
delicious 맛있 tasty 고소하 hot 뜨겁* warm 따뜻하 cold 차갑* fresh 신선하 good 좋 big 크
strong 튼튼하 new 새롭* tall 높 beautiful 아름답* famous 유명하 colorful 다채롭* long 길
interesting 흥미롭* short 짧 funny 웃기 fun 재미있 exciting 신나 fast 빠르:빨랐 slow 느리 old 낡
full 가득하 elegant 우아하 small 작 heavy 무겁* happy 행복하 thankful 감사하 tired 피곤하
quiet 조용하 green 푸르:푸르렀 red 붉 hungry 배고프 young 어리 clean 깨끗하 dry 건조하
difficult 어렵* hard 힘들 dangerous 위험하 easy 쉽* great 훌륭하 sad 슬프 boring 지루하
dull 따분하 bad 나쁘 terrible 끔찍하
""").items()
}

# Opposites and other words that are named, not said of a thing.
NAMED: Final[Mapping[str, str]] = _pairs("""
Monday 월요일 Tuesday 화요일 Wednesday 수요일 Thursday 목요일 Friday 금요일 Saturday 토요일
Sunday 일요일 January 일월 February 이월 March 삼월 April 사월 May 오월 June 유월 July 칠월
August 팔월 September 구월 October 시월 November 십일월 December 십이월
hot 뜨거움 cold 차가움 big 큼 small 작음 old 늙음 young 젊음 fast 빠름 slow 느림 happy 행복
sad 슬픔 long 긺 short 짧음 heavy 무거움 light 가벼움 rich 부유함 poor 가난함 full 가득함
empty 비어_있음 open 열림 closed 닫힘 wet 젖음 dry 마름 clean 깨끗함 dirty 더러움 strong 강함
weak 약함 good 좋음 bad 나쁨 easy 쉬움 difficult 어려움 deep 깊음 shallow 얕음 loud 시끄러움
quiet 조용함 wide 넓음 narrow 좁음
""")

PEOPLE: Final[Mapping[str, str]] = _pairs("""
I 나 we 우리 he 그 she 그녀 they 그들
Anna 안나 Maria 마리아 Emma 에마 Lucy 루시 Julia 줄리아 Grace 그레이스 Nina 니나 Sofia 소피아
Mary 메리 Alice 앨리스 Tom 톰 Peter 피터 David 데이비드 Jack 잭 Paul 폴 Ben 벤 Leo 레오 Max 맥스
Sam 샘 Henry 헨리
""")

NUMBERS: Final[Mapping[str, str]] = _pairs(
    "one 한 two 두 three 세 four 네 five 다섯 six 여섯 seven 일곱 eight 여덟"
)
